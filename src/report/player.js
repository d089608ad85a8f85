// The player of scenes: runs side by side, with one clock and one camera. src/report/playback.h describes the data.
// Only the open scene has the canvas; the other scenes show their pictures.
(function () {
  'use strict';
  const figures = Array.from(document.querySelectorAll('figure.scene'));
  const GRAIN_SAFE = 0.002;  // strains below this value can come from the rounding of the stored coordinates
  const COLOURS = ['#3b4c8f', '#4f8fb5', '#c9d3c0', '#f0a04b', '#a01c1c'];  // from the smallest to the largest strain or volume loss
  let stage = null;          // renderer, camera and controls; created when the first scene is opened
  let open = null;           // the open scene

  // ---- Data ----

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Decode 16-bit differences. The inflated text has first the low bytes of all numbers, then the high bytes.
  async function numbers(text) {
    const bytes = await inflate(text);
    const count = bytes.length / 2;
    const out = new Uint16Array(count);
    for (let i = 0; i < count; ++i) {
      const zigzag = bytes[i] | bytes[count + i] << 8;
      out[i] = zigzag >> 1 ^ -(zigzag & 1);
    }
    return out;
  }

  // Decode a surface: its frames of positions [vertices][3] in m, and its triangles.
  async function surface(data) {
    const codes = await numbers(data.codes);
    const corners = await numbers(data.corners);
    const n = data.vertices, count = 3 * n;
    for (let i = 1; i < corners.length; ++i) corners[i] += corners[i - 1];
    const frames = [];
    for (let f = 0; f < data.order.length; ++f) {
      const at = f * count, order = data.order.charCodeAt(f) - 48;
      for (let i = at; i < at + count; ++i) {
        if (order === 0) codes[i] += (i - at) % n ? codes[i - 1] : 0;
        else if (order === 1) codes[i] += codes[i - count];
        else codes[i] += 2 * codes[i - count] - codes[i - 2 * count];
      }
      const frame = new Float32Array(count);
      for (let v = 0; v < n; ++v)
        for (let k = 0; k < 3; ++k) frame[3 * v + k] = data.origin[k] + data.grain * codes[at + k * n + v];
      frames.push(frame);
    }
    return { frames: frames, corners: corners, vertices: n };
  }

  // ---- Measures of the shown surface ----

  function edges_of(corners) {
    const seen = new Set();
    const edges = [];
    for (let c = 0; c < corners.length; c += 3)
      for (let k = 0; k < 3; ++k) {
        const a = corners[c + k], b = corners[c + (k + 1) % 3];
        const key = Math.min(a, b) * 65536 + Math.max(a, b);
        if (seen.has(key)) continue;
        seen.add(key);
        edges.push(a, b);
      }
    return new Uint16Array(edges);
  }

  function distance(x, a, b) {
    return Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
  }

  // Set out[vertex] to the mean of |l - l0| / l0 over the edges of the vertex, where l is the length of an edge, and l0
  // its length in the first frame. Returns the mean over all edges.
  function strain_of(panel, x, out) {
    const edges = panel.edges;
    let sum = 0;
    out.fill(0);
    for (let e = 0; e < edges.length; e += 2) {
      const strain = Math.abs(distance(x, edges[e], edges[e + 1]) / panel.rest[e / 2] - 1);
      out[edges[e]] += strain / panel.valence[edges[e]];
      out[edges[e + 1]] += strain / panel.valence[edges[e + 1]];
      sum += strain;
    }
    return sum / (edges.length / 2);
  }

  // ---- Colours ----

  const stops = COLOURS.map(function (text) {
    return [1, 3, 5].map(function (at) { return parseInt(text.slice(at, at + 2), 16) / 255; });
  });

  function colour_of(share, out, at) {
    const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    for (let k = 0; k < 3; ++k) out[at + k] = stops[low][k] + (place - low) * (stops[low + 1][k] - stops[low][k]);
  }

  // Round up to 1, 2, 5, 10, 20, ... percent.
  function round_up(share) {
    const power = Math.pow(10, Math.floor(Math.log10(Math.max(share, 0.01))));
    return [1, 2, 5, 10].map(function (m) { return m * power; }).find(function (s) { return s >= share - 1e-9; });
  }

  const percent = function (share) {
    const size = Math.abs(share);
    return (size < 5e-8 ? '0' : size < 0.001 ? String(Number((100 * share).toPrecision(2))) : (100 * share).toFixed(size < 0.0995 ? 1 : 0)) + ' %';
  };

  // ---- Panels ----

  async function make_panel(data) {
    const panel = await surface(data);
    panel.label = data.label + (data.stand_in ? ' (stand-in body)' : '');
    panel.diverged = data.status === 'diverged';
    panel.time = data.time;
    panel.plate = data.plate;
    panel.edges = edges_of(panel.corners);
    panel.valence = new Uint16Array(panel.vertices);
    for (const end of panel.edges) ++panel.valence[end];
    panel.rest = new Float32Array(panel.edges.length / 2);
    for (let e = 0; e < panel.rest.length; ++e)
      panel.rest[e] = distance(panel.frames[0], panel.edges[2 * e], panel.edges[2 * e + 1]) || 1;
    panel.losses = data.losses;
    panel.shown = panel.frames[0].slice();
    panel.values = new Float32Array(panel.vertices);
    panel.box = new THREE.Box3();
    const first = new THREE.Box3().setFromArray(panel.frames[0]);
    const limit = first.clone().expandByScalar(1.5 * first.getSize(new THREE.Vector3()).length());
    for (const frame of panel.frames) panel.box.union(new THREE.Box3().setFromArray(frame));
    panel.box.intersect(limit);
    await make_world(panel, data, first.getSize(new THREE.Vector3()).length());
    return panel;
  }

  function mesh_of(positions, corners, material) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(corners, 1));
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  async function make_world(panel, data, size) {
    const world = panel.world = new THREE.Scene();
    const grey = new THREE.MeshLambertMaterial({ color: 0xb4bac4, side: THREE.DoubleSide });
    panel.mesh = mesh_of(panel.shown, panel.corners,
      new THREE.MeshPhongMaterial({ vertexColors: THREE.VertexColors, side: THREE.DoubleSide, shininess: 12 }));
    panel.mesh.geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * panel.vertices), 3));
    panel.mesh.receiveShadow = false;  // shadows would speckle a crumpled surface
    world.add(panel.mesh);
    if (data.ground !== null) {
      const ground = new THREE.Mesh(new THREE.CircleGeometry(4 * size, 64), new THREE.MeshLambertMaterial({ color: 0xb9c1cb }));
      ground.rotation.x = -Math.PI / 2;
      ground.position.set(0, data.ground - 0.002 * size, 0);
      ground.receiveShadow = true;
      world.add(ground);
      panel.box.expandByPoint(new THREE.Vector3(panel.box.min.x, data.ground, panel.box.min.z));
    }
    if (data.plate) {
      panel.cover = new THREE.Mesh(new THREE.BoxGeometry(1.4 * size, 0.02 * size, 1.4 * size),
        new THREE.MeshLambertMaterial({ color: 0x465468, transparent: true, opacity: 0.35 }));
      panel.thick = 0.01 * size;
      world.add(panel.cover);
    }
    if (data.sphere) {
      const ball = new THREE.Mesh(new THREE.SphereGeometry(0.99 * data.sphere.radius, 64, 48), grey);
      ball.position.fromArray(data.sphere.centre);
      ball.receiveShadow = ball.castShadow = true;
      world.add(ball);
    }
    if (data.solids) {
      const solids = await surface(data.solids);
      world.add(mesh_of(solids.frames[0], solids.corners, grey));
    }
    const centre = panel.box.getCenter(new THREE.Vector3());
    const sun = new THREE.DirectionalLight(0xffffff, 0.6);
    sun.position.copy(centre).add(new THREE.Vector3(0.7 * size, 2.4 * size, 1.2 * size));
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.bias = -0.002;
    Object.assign(sun.shadow.camera, { left: -1.6 * size, right: 1.6 * size, top: 1.6 * size, bottom: -1.6 * size,
      near: 0.1 * size, far: 6 * size });
    world.add(sun, sun.target, new THREE.HemisphereLight(0xffffff, 0x9aa0aa, 0.6));
  }

  // ---- Time ----

  // Set the positions that are shown at a time: interpolated linearly between two frames. After the last frame, the
  // positions of the last frame stay.
  function pose(panel, time) {
    const times = panel.time;
    let f = 0;
    while (f + 1 < times.length && times[f + 1] <= time) ++f;
    const next = Math.min(f + 1, times.length - 1);
    const share = next > f ? Math.min(Math.max((time - times[f]) / (times[next] - times[f]), 0), 1) : 0;
    const a = panel.frames[f], b = panel.frames[next];
    for (let i = 0; i < a.length; ++i) panel.shown[i] = a[i] + share * (b[i] - a[i]);
    panel.frame = f;
  }

  // Set panel.values, the quantity that the colour shows, for each vertex. Returns a text for the label. The values are
  // those of the last recorded frame (panel.frame), without interpolation, which would change volumes and lengths.
  function measure(panel, by) {
    if (by === 'volume' && panel.losses) {
      const loss = panel.losses[panel.frame];
      panel.values.fill(Math.abs(loss));
      return 'volume loss now ' + percent(loss);
    }
    const mean = strain_of(panel, panel.frames[panel.frame], panel.values);
    return 'mean edge strain ' + (mean < GRAIN_SAFE ? 'below 0.2 %' : percent(mean));
  }

  function scale_of(scene, by) {
    let most = 0;
    for (const panel of scene.panels)
      for (let k = 0; k <= 12; ++k) {
        pose(panel, scene.end * k / 12);
        measure(panel, by);
        const sorted = Array.from(panel.values).sort(function (a, b) { return a - b; });
        most = Math.max(most, Math.min(sorted[Math.floor(0.98 * (sorted.length - 1))], 1));
      }
    return round_up(most);
  }

  function show(scene) {
    scene.panels.forEach(function (panel, p) {
      pose(panel, scene.time);
      const text = scene.by === 'plain' ? '' : measure(panel, scene.by);
      const colour = panel.mesh.geometry.attributes.color;
      for (let v = 0; v < panel.vertices; ++v)
        if (scene.by === 'plain') colour.array.set([0.36, 0.56, 0.82], 3 * v);
        else colour_of(panel.values[v] / scene.scale, colour.array, 3 * v);
      colour.needsUpdate = true;
      panel.mesh.geometry.attributes.position.needsUpdate = true;
      panel.mesh.geometry.computeVertexNormals();
      if (panel.cover) {
        panel.cover.visible = scene.time < panel.plate.until;
        panel.cover.position.y = panel.thick + Math.max(panel.plate.start - panel.plate.speed * scene.time, panel.plate.stop);
      }
      const over = panel.diverged && scene.time >= panel.time[panel.time.length - 1];
      panel.mesh.visible = !over;
      scene.labels[p].textContent = panel.label + (over ? ': diverged' : text ? ': ' + text : '');
    });
    scene.slider.value = String(scene.time / scene.end);
    scene.clock.textContent = scene.time.toPrecision(3) + ' s of ' + scene.end.toPrecision(3) + ' s';
    scene.slider.setAttribute('aria-valuetext', scene.clock.textContent);
    scene.figure.dataset.time = String(scene.time);
    scene.figure.dataset.frames = scene.panels.map(function (panel) { return panel.frame; }).join(' ');
    draw(scene);
  }

  // ---- Drawing ----

  function make_stage() {
    const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    const names = renderer.getContext().getExtension('WEBGL_debug_renderer_info');
    const name = names ? renderer.getContext().getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
    renderer.shadowMap.enabled = !/swiftshader|llvmpipe|software/i.test(name);  // without a GPU, shadows would take four fifths of the time
    renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    renderer.domElement.className = 'canvas';
    const camera = new THREE.PerspectiveCamera(28, 1, 0.01, 1000);
    const controls = new THREE.OrbitControls(camera, renderer.domElement);
    controls.enableKeys = false;  // the player handles the keys itself
    controls.addEventListener('change', function () { if (open) draw(open); });
    return { renderer: renderer, camera: camera, controls: controls };
  }

  function layout(scene) {
    const width = scene.view.clientWidth, count = scene.panels.length;
    const columns = width < 560 && count > 1 ? (count > 2 ? 2 : 1) : count;
    const rows = Math.ceil(count / columns);
    const side = Math.min(width / columns, 0.8 * window.innerHeight / rows);
    scene.cells = { columns: columns, rows: rows, width: width / columns, height: side };
    stage.renderer.setSize(width, side * rows);
    scene.labels.forEach(function (label, p) {
      label.style.left = p % columns * width / columns + 'px';
      label.style.top = Math.floor(p / columns) * side + 'px';
      label.style.maxWidth = width / columns - 8 + 'px';
    });
    stage.camera.aspect = scene.cells.width / scene.cells.height;
    stage.camera.updateProjectionMatrix();
  }

  function draw(scene) {
    const renderer = stage.renderer, cells = scene.cells;
    renderer.setScissorTest(true);
    scene.panels.forEach(function (panel, p) {
      const x = p % cells.columns * cells.width, y = (cells.rows - 1 - Math.floor(p / cells.columns)) * cells.height;
      renderer.setViewport(x, y, cells.width, cells.height);
      renderer.setScissor(x, y, cells.width, cells.height);
      renderer.render(panel.world, stage.camera);
    });
  }

  function aim(scene) {
    const box = new THREE.Box3();
    const whole = scene.panels.filter(function (panel) { return !panel.diverged; });
    (whole.length ? whole : scene.panels).forEach(function (panel) { box.union(panel.box); });
    const ball = box.getBoundingSphere(new THREE.Sphere());
    const angle = stage.camera.fov * Math.PI / 360;
    const away = 0.9 * ball.radius / Math.sin(Math.min(angle, Math.atan(Math.tan(angle) * stage.camera.aspect)));
    stage.camera.near = away / 100;
    stage.camera.far = away * 20;
    stage.camera.position.copy(ball.center).add(new THREE.Vector3(0.42, 0.3, 0.86).multiplyScalar(away));
    stage.camera.updateProjectionMatrix();
    stage.controls.target.copy(ball.center);
    stage.controls.update();
  }

  function rotate(right, up, nearer) {
    const offset = stage.camera.position.clone().sub(stage.controls.target);
    const at = new THREE.Spherical().setFromVector3(offset);
    at.theta -= right;
    at.phi = Math.min(Math.max(at.phi - up, 0.05), Math.PI - 0.05);
    at.radius *= nearer;
    stage.camera.position.copy(stage.controls.target).add(offset.setFromSpherical(at));
    stage.controls.update();
  }

  // ---- Controls ----

  function element(tag, properties, parent) {
    const made = Object.assign(document.createElement(tag), properties);
    parent.append(made);
    return made;
  }

  function button(scene, text, label, act) {
    const made = element('button', { type: 'button', textContent: text, onclick: act }, scene.bar);
    made.setAttribute('aria-label', label);
    made.title = label;
    return made;
  }

  function choice(scene, label, options, chosen, act) {
    const outer = element('label', { textContent: label + ' ' }, scene.bar);
    const made = element('select', { onchange: function () { act(made.value); } }, outer);
    for (const option of options) element('option', { value: option[0], textContent: option[1] }, made);
    made.value = chosen;
    return made;
  }

  function set_playing(scene, playing) {
    scene.playing = playing;
    scene.toggle.textContent = playing ? '❚❚' : '▶';
    scene.toggle.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    scene.toggle.title = (playing ? 'Pause' : 'Play') + ' (space)';
    scene.figure.dataset.state = playing ? 'playing' : 'paused';
    if (!playing) return;
    if (scene.time >= scene.end) scene.time = 0;
    let before = performance.now();
    requestAnimationFrame(function tick(now) {
      if (!scene.playing || open !== scene) return;
      scene.time += Math.max(now - before, 0) / 1000 * scene.rate;
      before = now;
      if (scene.time >= scene.end) {
        scene.time = scene.end;
        set_playing(scene, false);
      } else requestAnimationFrame(tick);
      show(scene);
    });
  }

  // Go to the next recorded frame of any panel (direction > 0), or to the previous one.
  function step(scene, direction) {
    set_playing(scene, false);
    const gap = 1e-6 * scene.end;
    let best = direction > 0 ? scene.end : 0;
    for (const panel of scene.panels)
      for (const time of panel.time)
        if (direction > 0 ? time > scene.time + gap && time < best : time < scene.time - gap && time > best) best = time;
    scene.time = best;
    show(scene);
  }

  function colour_by(scene, by) {
    scene.by = by;
    scene.scale = by === 'plain' ? 1 : scale_of(scene, by);
    scene.legend.hidden = by === 'plain';
    scene.most.textContent = percent(scene.scale) + (by === 'volume' ? ' volume change' : ' strain');
    show(scene);
  }

  function make_bar(scene) {
    const bar = scene.bar;
    scene.toggle = button(scene, '▶', 'Play', function () { set_playing(scene, !scene.playing); });
    button(scene, '−1', 'One frame back (left arrow)', function () { step(scene, -1); });
    button(scene, '+1', 'One frame forward (right arrow)', function () { step(scene, 1); });
    scene.slider = element('input', { type: 'range', min: '0', max: '1', step: 'any', value: '0', oninput: function () {
      set_playing(scene, false);
      scene.time = Number(scene.slider.value) * scene.end;
      show(scene);
    } }, bar);
    scene.slider.setAttribute('aria-label', 'Time');
    scene.clock = element('span', { className: 'clock' }, bar);
    const base = scene.end / 6;  // initial speed: the whole scene in six seconds
    const rates = [0.25, 0.5, 1, 2, 4].map(function (m) {
      const rate = base * m;
      const text = rate > 0.95 ? rate.toPrecision(2) + ' times real time' : '1/' + Number((1 / rate).toPrecision(2)) + ' of real time';
      return [String(rate), text];
    });
    scene.rate = base;
    scene.speed = choice(scene, 'Speed', rates, String(base), function (value) { scene.rate = Number(value); });
    const by = [['strain', 'strain'], ['volume', 'volume loss'], ['plain', 'nothing']].filter(function (option) {
      return option[0] !== 'volume' || scene.panels.every(function (panel) { return panel.losses; });
    });
    if (!by.some(function (option) { return option[0] === scene.by; })) scene.by = 'strain';
    choice(scene, 'Colour by', by, scene.by, function (value) { colour_by(scene, value); });
    scene.legend = element('span', { className: 'legend' }, bar);
    element('span', { textContent: '0' }, scene.legend);
    element('span', { className: 'ramp', style: 'background:linear-gradient(to right,' + COLOURS.join(',') + ')' }, scene.legend);
    scene.most = element('span', {}, scene.legend);
    button(scene, 'Reset view', 'Reset the view (0)', function () { aim(scene); });
    button(scene, 'Close', 'Close the player (escape)', close);
  }

  const keys = {
    ' ': function (scene) { set_playing(scene, !scene.playing); },
    ArrowLeft: function (scene) { step(scene, -1); },
    ArrowRight: function (scene) { step(scene, 1); },
    Home: function (scene) { scene.time = 0; show(scene); },
    End: function (scene) { scene.time = scene.end; show(scene); },
    a: function () { rotate(-0.15, 0, 1); },
    d: function () { rotate(0.15, 0, 1); },
    w: function () { rotate(0, 0.15, 1); },
    s: function () { rotate(0, -0.15, 1); },
    '+': function () { rotate(0, 0, 0.9); },
    '-': function () { rotate(0, 0, 1.1); },
    0: function (scene) { aim(scene); },
    Escape: function () { close(); }
  };

  function on_key(event) {
    if (!open || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT' ||
        (event.target.tagName === 'BUTTON' && event.key === ' ') || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key](open);
  }

  // ---- Opening ----

  function close() {
    if (!open) return;
    const scene = open;
    open = null;
    scene.playing = false;
    scene.watch.disconnect();
    for (const panel of scene.panels)
      panel.world.traverse(function (part) {
        if (part.geometry) part.geometry.dispose();
        if (part.material) part.material.dispose();
        if (part.shadow && part.shadow.map) part.shadow.map.dispose();
      });
    scene.box.remove();
    scene.figure.removeEventListener('keydown', on_key);
    scene.figure.dataset.state = 'closed';
    scene.poster.hidden = scene.start.hidden = false;
    scene.start.focus();
  }

  async function load_library() {
    if (window.THREE) return;
    const script = document.createElement('script');
    script.textContent = new TextDecoder().decode(await inflate(document.getElementById('three').textContent));
    document.head.append(script);
  }

  async function open_scene(figure, start) {
    close();
    start.disabled = true;
    try {
      await load_library();
      stage = stage || make_stage();
      const data = JSON.parse(figure.querySelector('script').textContent);
      const scene = { figure: figure, start: start, poster: figure.querySelector('img'), time: 0, by: figure.dataset.colour };
      scene.panels = await Promise.all(data.map(make_panel));
      scene.end = Math.max.apply(null, scene.panels.map(function (panel) { return panel.time[panel.time.length - 1]; })) || 1;
      scene.poster.hidden = start.hidden = true;
      scene.box = element('div', { className: 'player' }, figure);
      figure.prepend(scene.box);
      scene.view = element('div', { className: 'view' }, scene.box);
      scene.view.append(stage.renderer.domElement);
      scene.labels = scene.panels.map(function () { return element('span', { className: 'panel-label' }, scene.view); });
      scene.bar = element('div', { className: 'bar' }, scene.box);
      scene.bar.setAttribute('role', 'group');
      scene.bar.setAttribute('aria-label', 'Player');
      make_bar(scene);
      figure.addEventListener('keydown', on_key);
      open = scene;
      layout(scene);
      aim(scene);
      colour_by(scene, scene.by);
      scene.watch = new ResizeObserver(function () { layout(scene); draw(scene); });
      scene.watch.observe(scene.view);
      set_playing(scene, false);
      scene.toggle.focus({ preventScroll: true });
    } catch (error) {
      element('p', { textContent: 'This browser cannot play the scene (' + error.message + '); the picture shows one moment of it.' }, figure);
      start.remove();
    }
    start.disabled = false;
  }

  for (const figure of figures) {
    const start = document.createElement('button');
    Object.assign(start, { type: 'button', className: 'start', textContent: '▶ Play',
      onclick: function () { open_scene(figure, start); } });
    start.setAttribute('aria-label', 'Play: ' + figure.querySelector('img').alt);
    figure.querySelector('img').after(start);
  }
  if (figures.length === 1) figures[0].querySelector('.start').click();
})();
