// The checks of tests/report.sh, which run in the page. LOOK is {scheme: 'light' or 'dark'}. The findings are sent to
// the outer page, one on each line.
(function () {
  'use strict';
  const found = [];
  const wrong = [];
  const check = function (holds, what) { if (!holds) found.push(what); };
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };
  const pause = function (ms) { return new Promise(function (done) { setTimeout(done, ms); }); };
  window.addEventListener('securitypolicyviolation', function (event) { wrong.push(event.blockedURI); });
  window.addEventListener('error', function (event) { wrong.push(event.message || 'an error'); });

  // ---- Colours [red, green, blue, alpha], and their contrast as WCAG 2.1 defines it ----
  const colour = function (text) {
    const parts = text.match(/[\d.]+/g).map(Number);
    return parts.length < 4 ? parts.concat(1) : parts;
  };
  const luminance = function (c) {
    const linear = c.slice(0, 3).map(function (v) {
      return v / 255 <= 0.04045 ? v / 255 / 12.92 : Math.pow((v / 255 + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = function (element) {
    for (let at = element; at; at = at.parentElement) {
      const back = colour(getComputedStyle(at).backgroundColor);
      if (back[3] === 1) return back;
    }
    return [255, 255, 255, 1];
  };
  const contrast = function (element) {
    const pair = [luminance(colour(getComputedStyle(element).color)), luminance(behind(element))];
    return (Math.max(pair[0], pair[1]) + 0.05) / (Math.min(pair[0], pair[1]) + 0.05);
  };

  function look_at_colours() {
    const back = luminance(behind(document.body));
    check(LOOK.scheme === 'dark' ? back < 0.1 : back > 0.8, 'the page is not ' + LOOK.scheme);
    const seen = new Set();
    all('body *').forEach(function (element) {
      const name = element.tagName + '.' + element.className;
      if (seen.has(name) || !element.textContent.trim() || !element.offsetHeight) return;
      seen.add(name);
      check(contrast(element) >= 4.5, name + ' has a contrast of ' + contrast(element).toFixed(2));
    });
  }

  // ---- Width ----
  function look_at_width() {
    const width = document.documentElement.clientWidth;
    check(document.documentElement.scrollWidth <= width,
      'the page is ' + document.documentElement.scrollWidth + ' px wide, on a screen of ' + width + ' px');
    all('main *').forEach(function (element) {
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible' &&
          getComputedStyle(element).overflowX !== 'hidden')
        found.push(element.tagName + '.' + element.className + ' scrolls sideways');
      const box = element.getBoundingClientRect();
      if (box.right > width + 1 && !element.closest('.unseen, thead') && found.length < 20)
        found.push(element.tagName + '.' + element.className + ' ends at ' + Math.round(box.right) +
          ' px, on a screen of ' + width + ' px');
    });
  }

  // ---- Reading ----
  function look_at_reading() {
    check(all('.claim').length > 0, 'there are no claims');
    let level = 0;
    all('h1, h2, h3, h4').forEach(function (heading) {
      const next = Number(heading.tagName[1]);
      check(next <= level + 1, 'a level of headings is missing before "' + heading.textContent + '"');
      level = next;
    });
    all('.verdict').forEach(function (verdict) {
      check(/^\S+ [a-z ]+$/.test(verdict.textContent), 'a verdict is shown only by its colour: ' + verdict.textContent);
    });
    all('a, select, input, button, summary').forEach(function (element, e, list) {
      if (list.findIndex(function (other) { return other.tagName === element.tagName; }) !== e) return;
      if (!element.offsetHeight) return;
      element.focus();
      check(document.activeElement === element, element.tagName + ' cannot be focused');
      const style = getComputedStyle(element);
      check(style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, element.tagName + ' shows no focus');
    });
    all('img').forEach(function (image) {
      check(image.complete && image.naturalWidth > 0, 'a figure is not shown: ' + image.alt);
      check(getComputedStyle(image).backgroundColor === 'rgb(255, 255, 255)', 'the background of a figure is not white');
    });
    const outside = performance.getEntriesByType('resource').filter(function (entry) {
      return !entry.name.startsWith('data:');
    });
    check(!outside.length, 'the page requested ' + outside.map(function (entry) { return entry.name; }).join(', '));
  }

  // ---- The first screen, and its links ----
  const is_shown = function (element) { return element.checkVisibility(); };
  const on_first_screen = function (selector) {
    const elements = all(selector);
    check(elements.length, 'there is no ' + selector);
    elements.forEach(function (element) {
      check(is_shown(element) && element.getBoundingClientRect().bottom + scrollY <= innerHeight,
        selector + ' is not on the first screen');
    });
  };

  async function look_at_first_screen() {
    on_first_screen('.sentence');
    if (all('figure').length) on_first_screen('.pictures svg');
    on_first_screen('.headlines table:first-of-type tbody tr:first-child');
    check(innerWidth < 1000 || document.body.scrollHeight <= 40000,
      'the page is ' + document.body.scrollHeight + ' px high; at most 40000 px are allowed');
    all('a[href^="#"]').forEach(function (link) {
      check(document.getElementById(link.getAttribute('href').slice(1)), link.getAttribute('href') + ' leads nowhere');
    });
    for (const claim of [all('.claim')[0], all('.claim').pop()]) {
      check(!is_shown(claim), 'a claim is visible before the user opens its group');
      location.hash = '#' + claim.id;
      await pause(300);
      check(is_shown(claim) && Math.abs(claim.getBoundingClientRect().top) < innerHeight,
        'the address of ' + claim.id + ' does not lead to the claim');
      check(document.querySelector('nav a').getBoundingClientRect().top >= 0, 'the navigation is not on the screen');
    }
  }

  window.addEventListener('load', async function () {
    try {
      await look_at_first_screen();
      all('details').forEach(function (details) { details.open = true; });
      check(all('.claim').every(is_shown), 'claims are hidden');
      look_at_reading();
      look_at_colours();
      look_at_width();
    } catch (error) {
      found.push(String(error));
    }
    const lines = found.concat(wrong.map(function (what) { return 'the browser refused: ' + what; }));
    parent.postMessage('looked at ' + all('.claim').length + ' claims\n' + lines.slice(0, 20).join('\n'), '*');
  });
})();
