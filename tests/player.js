// The checks of tests/player.sh for the scenes of a page, as the body of a WebDriver script. Returns a list of lines;
// a line that begins with "wrong: " is a failed check.
const most = arguments[0], done = arguments[1];
const said = [];
const check = function (holds, what) { if (!holds) said.push('wrong: ' + what); };
const pause = function (ms) { return new Promise(function (go) { setTimeout(go, ms); }); };

async function until(holds) {
  for (let tries = 0; tries < 600 && !holds(); ++tries) await pause(50);
  return holds();
}

// Returns for each panel the fraction of its pixels that differ from its first pixel: the differences of red and of
// blue, each from 0 to 255, add up to more than 30. The upper left corner of a panel is that of its label.
function drawn(canvas, labels) {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const scale = canvas.width / canvas.clientWidth;
  const lefts = new Set(labels.map(function (label) { return label.style.left; }));
  const tops = new Set(labels.map(function (label) { return label.style.top; }));
  const wide = Math.floor(canvas.width / lefts.size), high = Math.floor(canvas.height / tops.size);
  return labels.map(function (label) {
    const pixels = context.getImageData(scale * parseFloat(label.style.left), scale * parseFloat(label.style.top), wide, high).data;
    let other = 0;
    for (let i = 0; i < pixels.length; i += 4)
      other += pixels[i + 3] > 0 && Math.abs(pixels[i] - pixels[0]) + Math.abs(pixels[i + 2] - pixels[2]) > 30;
    return other / (pixels.length / 4);
  });
}

const press = function (figure, key) {
  figure.dispatchEvent(new KeyboardEvent('keydown', { key: key, bubbles: true, cancelable: true }));
};

async function try_scene(figure) {
  const name = figure.id;
  const start = figure.querySelector('.start');
  if (start.offsetParent) start.click();
  if (!await until(function () { return figure.dataset.state === 'paused'; })) {
    check(false, name + ' does not open: ' + figure.textContent.slice(-200));
    return 0;
  }
  check(!start.offsetParent && !figure.querySelector('img').offsetParent, name + ': its picture stays above the player');
  const canvas = figure.querySelector('canvas'), labels = Array.from(figure.querySelectorAll('.panel-label'));
  const before = canvas.toDataURL();
  drawn(canvas, labels).forEach(function (share, p) {
    check(share > 0.002, name + ': panel ' + (p + 1) + ' is empty (' + share.toFixed(4) + ')');
  });
  press(figure, 'ArrowRight');
  const stepped = Number(figure.dataset.time);
  check(stepped > 0, name + ': the key ArrowRight does not advance the time');
  const from = performance.now();
  press(figure, ' ');
  check(figure.dataset.state === 'playing', name + ' does not play');
  await pause(1500);
  press(figure, ' ');
  check(figure.dataset.state === 'paused', name + ' does not pause');
  const at = Number(figure.dataset.time);
  check(at > stepped, name + ': the time does not advance while it plays');
  check(canvas.toDataURL() !== before, name + ': the picture stays the same while it plays');
  // Panels share one clock: each shows its last frame at or before the time.
  const panels_data = JSON.parse(figure.querySelector('script').textContent);
  figure.dataset.frames.split(' ').forEach(function (frame, p) {
    const times = panels_data[p].time, right = times.filter(function (time) { return time <= at; }).length - 1;
    check(Number(frame) === right, name + ': panel ' + (p + 1) + ' is at frame ' + frame + ', expected ' + right);
  });
  press(figure, 'd');
  const turned = canvas.toDataURL();
  press(figure, 'd');
  check(canvas.toDataURL() !== turned, name + ' does not rotate');
  return performance.now() - from;
}

(async function () {
  const all = Array.from(document.querySelectorAll('figure.scene'));
  const figures = all.slice(0, most);
  check(figures.length > 0, 'there are no scenes');
  for (const figure of figures) await try_scene(figure);
  // Measure the frames per second of the last scene.
  const last = figures[figures.length - 1];
  if (last) {
    let frames = 0, going = true;
    press(last, 'Home');
    press(last, ' ');
    requestAnimationFrame(function count() { ++frames; if (going) requestAnimationFrame(count); });
    await pause(2000);
    going = false;
    said.push(figures.length + ' of ' + all.length + ' scenes play; the last at ' + (frames / 2).toFixed(0) + ' frames/s');
    press(last, 'Escape');
    check(last.querySelector('canvas') === null && last.querySelector('img').offsetHeight > 0, 'Escape does not close the player');
  }
  check(document.documentElement.scrollWidth <= document.documentElement.clientWidth, 'the page scrolls sideways');
  check(performance.getEntriesByType('resource').length === 0, 'the page requested a file');
  done(said);
})().catch(function (error) { done(['wrong: ' + error.stack]); });
