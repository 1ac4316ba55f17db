// Pass 3: the points of the shape on screen, each a function of its index alone, so that they
// stay where they are. It runs after the training, which so sees a new shape one frame late.
// uses: frame, hash
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> data: array<vec4f, SAMPLES>;  // (x, y, label, 0)

// Two arms: the first half of the points is class 0, the other half class 1.
fn spiral(s: u32) -> vec4f {
  let arm = s / (SAMPLES / 2u);
  let t = f32(s % (SAMPLES / 2u)) / f32(SAMPLES / 2u);
  let radius = 0.13 + 0.74 * t;
  let angle = t * 4.4 + f32(arm) * 3.14159265;
  let noise = vec2f(rand_unit(s * 2u + 1u), rand_unit(s * 2u + 2u)) - 0.5;
  return vec4f(radius * vec2f(cos(angle), sin(angle)) + noise * 0.07, f32(arm), 0.0);
}

// A disk (class 1) inside a ring.
fn rings(s: u32) -> vec4f {
  let inner = s * 2u < SAMPLES;
  let draw = rand_unit(100003u + s * 3u + 1u);
  let radius = select(0.58 + draw * 0.27, sqrt(draw) * 0.34, inner);
  let angle = rand_unit(100003u + s * 3u + 2u) * 6.2831853;
  return vec4f(radius * vec2f(cos(angle), sin(angle)), select(0.0, 1.0, inner), 0.0);
}

// Four quarters: class 1 where x and y share a sign.
fn xor(s: u32) -> vec4f {
  let draw = vec2f(rand_unit(200003u + s * 3u + 1u), rand_unit(200003u + s * 3u + 2u));
  let point = (draw * 2.0 - 1.0) * 0.85;
  return vec4f(point, select(0.0, 1.0, point.x * point.y > 0.0), 0.0);
}

@compute @workgroup_size(64)
fn dataset(@builtin(global_invocation_id) thread: vec3u) {
  let s = thread.x;
  if (s >= SAMPLES) { return; }
  switch (frame.shape) {
    case 0u: { data[s] = spiral(s); }
    case 1u: { data[s] = rings(s); }
    default: { data[s] = xor(s); }
  }
}
