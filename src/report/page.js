// Open each <details> around the element that the address names after #. Recent browsers do this without a script.
(function () {
  'use strict';
  function open() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest('details:not([open])')) return;
    for (let at = target; at; at = at.parentElement)
      if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  }
  window.addEventListener('hashchange', open);
  open();
})();
