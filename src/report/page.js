// The filters. Without this script all claims are shown, and the form is not.
(function () {
  'use strict';
  const form = document.getElementById('filters');
  const shown = document.getElementById('shown');
  const claims = Array.from(document.querySelectorAll('.claim'));
  const papers = Array.from(document.querySelectorAll('section.paper'));
  const figures = Array.from(document.querySelectorAll('#figures section'));
  const names = ['paper', 'verdict', 'kind', 'text', 'changed'];
  let texts = null; // of the claims, when they are first searched
  let timer = 0;

  function value(name) {
    const field = form.elements[name];
    return field.type === 'checkbox' ? (field.checked ? 'yes' : '') : field.value.trim();
  }

  function set(values) {
    for (const name of names) {
      const field = form.elements[name];
      const given = values.get(name) || '';
      if (field.type === 'checkbox') field.checked = given === 'yes';
      else field.value = given;
      if (field.tagName === 'SELECT' && field.selectedIndex < 0) field.value = '';
    }
  }

  // All words must be there, in any order.
  function has(text, words) {
    return words.every(function (word) { return text.includes(word); });
  }

  function apply() {
    const words = value('text').toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !texts)
      texts = claims.map(function (claim) { return claim.textContent.toLowerCase(); });
    let count = 0;
    claims.forEach(function (claim, c) {
      const fits = ['paper', 'verdict', 'kind', 'changed'].every(function (name) {
        return !value(name) || claim.dataset[name] === value(name);
      }) && (!words.length || has(texts[c], words));
      claim.hidden = !fits;
      count += fits;
    });
    papers.forEach(function (paper) { paper.hidden = !paper.querySelector('.claim:not([hidden])'); });
    figures.forEach(function (section) {
      section.hidden = value('paper') !== '' && section.dataset.paper !== value('paper');
    });
    shown.textContent = count === claims.length
      ? 'All ' + count + ' claims are shown.'
      : count + ' of ' + claims.length + ' claims ' + (count === 1 ? 'is' : 'are') + ' shown.';
  }

  // What is filtered stands in the address, so that it can be passed on: #verdict=differs&paper=va2022
  function tell() {
    const values = new URLSearchParams();
    for (const name of names)
      if (value(name)) values.set(name, value(name));
    try {
      history.replaceState(null, '', '#' + (values.toString() || 'claims'));
    } catch (error) {
      // an address that may not be changed stays as it is
    }
  }

  // An address is of filters, or of a place on the page, which must not stay hidden.
  function follow() {
    const hash = location.hash.slice(1);
    if (hash.includes('=')) {
      set(new URLSearchParams(hash));
      apply();
      document.getElementById('claims').scrollIntoView();
      return;
    }
    const target = hash && document.getElementById(hash);
    if (target && target.closest('[hidden]')) {
      set(new URLSearchParams());
      apply();
      target.scrollIntoView();
    }
  }

  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('input', function () {
    clearTimeout(timer);
    timer = setTimeout(function () { apply(); tell(); }, 120);
  });
  form.addEventListener('reset', function () {
    setTimeout(function () { apply(); tell(); }, 0);
  });
  document.getElementById('summary').addEventListener('click', function (event) {
    const link = event.target.closest('a[data-paper]');
    if (!link) return;
    event.preventDefault();
    const values = new URLSearchParams({ paper: link.dataset.paper });
    if (link.dataset.verdict) values.set('verdict', link.dataset.verdict);
    location.hash = values.toString();
  });
  window.addEventListener('hashchange', follow);
  form.hidden = false;
  apply();
  follow();
})();
