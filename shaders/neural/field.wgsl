// Pass 4: what the network believes at every pixel: the class as colour, the confidence as
// brightness, bands that flow outwards, and a pulsing seam where it is undecided. An invocation
// paints a run of FIELD_RUN pixels to the right, so that it loads each weight once for all of
// them; and from pixel to pixel the first layer's powers of two only grow by a constant factor.
// uses: activation, folded, frame, plane
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> folded: array<vec4f, FOLDED_ROWS>;
@group(0) @binding(2) var<storage, read_write> paint: array<vec4f, PIXELS>;  // RGBA, top row first

// A value for each of a layer's twelve neurons.
struct Neurons { a: vec4f, b: vec4f, c: vec4f }

// Four neurons of the second layer: column k of `a` weighs the first layer's four in `a` for
// neuron k, and so on.
struct Block { a: mat4x4f, b: mat4x4f, c: mat4x4f, bias: vec4f }

fn block(quad: u32) -> Block {
  let r = FOLDED_W2 + 12u * quad;
  return Block(
    mat4x4f(folded[r], folded[r + 3u], folded[r + 6u], folded[r + 9u]),
    mat4x4f(folded[r + 1u], folded[r + 4u], folded[r + 7u], folded[r + 10u]),
    mat4x4f(folded[r + 2u], folded[r + 5u], folded[r + 8u], folded[r + 11u]),
    folded[FOLDED_B2 + quad]);
}

// The first layer's powers of two at `point`, for neurons j to j + 3.
fn powers(j: u32, point: vec2f) -> vec4f {
  let columns = transpose(mat4x4f(folded[j], folded[j + 1u], folded[j + 2u], folded[j + 3u]));
  return power_of_two(columns[0] * point.x + columns[1] * point.y + columns[2]);
}

// Their growth from a pixel to the next on the right.
fn growth(j: u32) -> vec4f {
  return vec4f(folded[j].w, folded[j + 1u].w, folded[j + 2u].w, folded[j + 3u].w);
}

fn second_four(h1: Neurons, weights: Block) -> vec4f {
  let exponent = h1.a * weights.a + h1.b * weights.b + h1.c * weights.c + weights.bias;
  return 1.0 / (1.0 + power_of_two(exponent));
}

// The seam's colour at its brightest, breathing on a slow pulse.
fn seam_colour() -> vec3f {
  return vec3f(0.90, 0.95, 1.0) * 0.55 * (0.72 + 0.28 * sin(frame.pulse_phase));
}

// A pixel's colour from the probability of class 1 there. Document 001 divides by the seam's width
// and in smoothstep; factors do the same, and on a CPU cost a fraction.
fn shade(p: f32, seam: vec3f) -> vec4f {
  let class_colour = select(CLASS_1_COLOUR, CLASS_0_COLOUR, p < 0.5);
  let side = p - 0.5;
  let phase = abs(fract(p * 9.0 - frame.band_phase) - 0.5);
  let rise = saturate((phase - 0.44) * (1.0 / 0.06));
  let band = rise * rise * (3.0 - 2.0 * rise) * 0.10;
  let glow = 0.10 + 0.60 * 4.0 * side * side + band;
  let edge = exp2(side * side * (-1.4426950408889634 / (0.035 * 0.035)));
  return vec4f(BASE_COLOUR + class_colour * glow + seam * edge, 1.0);
}

// A row's pixels from column `first` on, FIELD_RUN of them.
fn paint_run(first: u32, row: u32, second: array<Block, 3>, out: Neurons, out_bias: f32,
             seam: vec3f) {
  let point = vec2f(plane_x(f32(first)), plane_y(f32(row)));
  var power = Neurons(powers(0u, point), powers(4u, point), powers(8u, point));
  let factor = Neurons(growth(0u), growth(4u), growth(8u));
  for (var i = 0u; i < FIELD_RUN; i++) {
    let h1 = Neurons(1.0 / (1.0 + power.a), 1.0 / (1.0 + power.b), 1.0 / (1.0 + power.c));
    power = Neurons(power.a * factor.a, power.b * factor.b, power.c * factor.c);
    let h2 = Neurons(second_four(h1, second[0]), second_four(h1, second[1]),
                     second_four(h1, second[2]));
    let exponent = dot(out.a, h2.a) + dot(out.b, h2.b) + dot(out.c, h2.c) + out_bias;
    let p = 1.0 / (1.0 + exp2(min(exponent, MOST_EXPONENT)));
    // The first half is known when compiling: where runs fill the rows, nothing is tested.
    if (WIDTH % FIELD_RUN == 0u || first + i < WIDTH) {
      paint[row * WIDTH + first + i] = shade(p, seam);
    }
  }
}

@compute @workgroup_size(8, 8)
fn field(@builtin(global_invocation_id) thread: vec3u) {
  let first = thread.x * FIELD_RUN;
  if (first >= WIDTH) { return; }
  let second = array<Block, 3>(block(0u), block(1u), block(2u));
  let out = Neurons(folded[FOLDED_W3], folded[FOLDED_W3 + 1u], folded[FOLDED_W3 + 2u]);
  let seam = seam_colour();
  // One turn, but for pictures with more rows than a dispatch can have.
  for (var row = thread.y; row < HEIGHT; row += FIELD_ROWS) {
    paint_run(first, row, second, out, folded[FOLDED_B3].x, seam);
  }
}
