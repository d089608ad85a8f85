// What tests/report.sh has a browser look at, in the page itself. LOOK says how it is looked at: {scheme: 'light' or
// 'dark', scripted: whether the page has its script}. What is found goes to the page around, a line each.
(function () {
  'use strict';
  const found = [];
  const wrong = [];
  const check = function (holds, what) { if (!holds) found.push(what); };
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };
  const pause = function (ms) { return new Promise(function (done) { setTimeout(done, ms); }); };
  window.addEventListener('securitypolicyviolation', function (event) { wrong.push(event.blockedURI); });
  window.addEventListener('error', function (event) { wrong.push(event.message || 'an error'); });

  // ---- Colours: contrast as WCAG 2.1 has it, of a colour [red, green, blue, alpha] ----
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
    check(LOOK.scheme === 'dark' ? back < 0.1 : back > 0.8, 'it is not ' + LOOK.scheme);
    const seen = new Set();
    all('body *').forEach(function (element) {
      const name = element.tagName + '.' + element.className;
      if (seen.has(name) || !element.textContent.trim() || !element.offsetHeight) return;
      seen.add(name);
      check(contrast(element) >= 4.5, name + ' has a contrast of ' + contrast(element).toFixed(2));
    });
  }

  // ---- Width, with all that can be unfolded ----
  function look_at_width() {
    all('details').forEach(function (details) { details.open = true; });
    const width = document.documentElement.clientWidth;
    check(document.documentElement.scrollWidth <= width,
      'it is ' + document.documentElement.scrollWidth + ' px wide, on a screen of ' + width);
    all('main *').forEach(function (element) {
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible' &&
          getComputedStyle(element).overflowX !== 'hidden')
        found.push(element.tagName + '.' + element.className + ' scrolls sideways');
      const box = element.getBoundingClientRect();
      if (box.right > width + 1 && !element.closest('.unseen, thead') && found.length < 20)
        found.push(element.tagName + '.' + element.className + ' ends at ' + Math.round(box.right) + ' px of ' + width);
    });
    all('details').forEach(function (details) { details.open = false; });
  }

  // ---- Reading ----
  const visible = function (claim) { return claim.offsetHeight > 0; };

  function look_at_reading() {
    check(all('.claim').length > 0, 'there are no claims');
    let level = 0;
    all('h1, h2, h3, h4').forEach(function (heading) {
      const next = Number(heading.tagName[1]);
      check(next <= level + 1, 'the heading ' + heading.textContent + ' is skipped to');
      level = next;
    });
    all('.verdict').forEach(function (verdict) {
      check(/^\S+ [a-z ]+$/.test(verdict.textContent), 'a verdict is told by its colour: ' + verdict.textContent);
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
      check(getComputedStyle(image).backgroundColor === 'rgb(255, 255, 255)', 'a figure is not on white');
    });
    const outside = performance.getEntriesByType('resource').filter(function (entry) {
      return !entry.name.startsWith('data:');
    });
    check(!outside.length, 'it asked for ' + outside.map(function (entry) { return entry.name; }).join(', '));
  }

  // ---- Filters ----
  async function choose(name, value) {
    const field = document.getElementById('filter-' + name);
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await pause(300);
    return all('.claim').filter(visible);
  }

  async function reset() {
    document.querySelector('#filters button[type=reset]').click();
    await pause(50);
    return all('.claim').filter(visible).length;
  }

  function told(count) {
    const text = document.getElementById('shown').textContent;
    check(text.includes(String(count)), count + ' claims are shown, and it is told: ' + text);
  }

  async function look_at_filters() {
    const claims = all('.claim');
    check(document.getElementById('filters').offsetHeight > 0, 'the filters are not shown');
    check(document.getElementById('shown').getAttribute('aria-live') === 'polite', 'counts are not told');
    for (const name of ['paper', 'verdict', 'kind']) {
      const options = Array.from(document.getElementById('filter-' + name).options).slice(1);
      check(options.length > 0, 'there is nothing to choose for ' + name);
      for (const option of options) {
        const left = await choose(name, option.value);
        check(left.length === Number(option.textContent.match(/\((\d+)\)/)[1]),
          name + ' ' + option.value + ' leaves ' + left.length + ' of ' + option.textContent);
        check(left.every(function (claim) { return claim.dataset[name] === option.value; }),
          name + ' ' + option.value + ' leaves others');
        told(left.length);
      }
      await choose(name, '');
    }
    const last = claims[claims.length - 1];
    const words = last.querySelector('h4').textContent.split('.').reverse().join(' ').toUpperCase();
    let left = await choose('text', words);
    check(left.includes(last) && left.length < claims.length, 'a search for ' + words + ' finds ' + left.length);
    left = await choose('verdict', claims.find(function (claim) {
      return claim.dataset.verdict !== last.dataset.verdict;
    }).dataset.verdict);
    check(!left.includes(last), 'two filters are not both heeded');
    left = await choose('text', 'no such words <b>');
    check(!left.length, 'a search for nothing finds something');
    check(all('section.paper').every(function (paper) { return !visible(paper); }), 'a paper without claims is shown');
    told(0);
    check(await reset() === claims.length, 'not all are shown after a reset');
    told(claims.length);
    for (const link of all('#summary td a').slice(0, 4)) {
      link.click();
      await pause(300);
      check(all('.claim').filter(visible).length === Number(link.textContent),
        'the summary counts ' + link.textContent + ', and its link shows ' + all('.claim').filter(visible).length);
      check(location.hash.includes('paper=' + link.dataset.paper), 'the address does not say what is filtered');
    }
    await choose('text', 'no such words');
    location.hash = '#' + last.id;
    await pause(300);
    check(visible(last), 'a claim that is linked to stays hidden');
    await reset();
  }

  window.addEventListener('load', async function () {
    try {
      if (LOOK.scripted) {
        await look_at_filters();
      } else {
        check(!document.getElementById('filters').offsetHeight, 'filters are shown that do nothing');
        check(all('.claim').every(visible), 'claims are hidden');
      }
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
