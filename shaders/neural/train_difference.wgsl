// Pass 1 as document 001's text tells it: a forward difference for each parameter, one thread a
// parameter, no sum over threads; an epoch a dispatch.
//
// A thread adds up, sample by sample, how much the loss changes when its own parameter grows by
// STEP = 2^-10. The slope's error has two parts: the curve's, about STEP / 2 times the loss's
// second derivative (of order 1: 5e-4), and float32's: a sample's two losses are rounded to about
// 6e-8 each, so their difference over STEP to 1e-4, and to 1e-5 in the mean of 100. A smaller step
// trades the first for the second; a power of two divides without rounding.
// uses: activation, frame, fresh, mlp
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> w: array<vec4f, PARAMETER_ROWS>;  // weights before the epoch
@group(0) @binding(2) var<storage, read> v: array<vec4f, PARAMETER_ROWS>;  // velocities before it
@group(0) @binding(3) var<uniform> data: array<vec4f, SAMPLES>;      // (x, y, label, 0)
@group(0) @binding(4) var<storage, read_write> w_next: array<f32, 4u * PARAMETER_ROWS>;
@group(0) @binding(5) var<storage, read_write> v_next: array<f32, 4u * PARAMETER_ROWS>;

const STEP = 0.0009765625;
const EPOCH_SLOT = 4u * B3 + 1u;
const PARAMETERS = EPOCH_SLOT;

var<private> grown_row: u32;  // the row of the thread's own parameter
var<private> growth: vec4f;   // what it grows by: zero for the base loss

fn weight4(row: u32) -> vec4f {
  return w[row] + select(vec4f(), growth, row == grown_row);
}

// Cross-entropy from the logit, in the form that neither overflows nor cancels.
fn sample_loss(sample: vec4f) -> f32 {
  let logit = output(second_layer(first_layer(sample.xy)));
  return max(logit, 0.0) - logit * sample.z + log(1.0 + exp(-abs(logit)));
}

@compute @workgroup_size(64)
fn train_difference(@builtin(global_invocation_id) thread: vec3u) {
  let i = thread.x;
  if (i >= 4u * PARAMETER_ROWS) { return; }
  let lane = i % 4u;
  if (frame.restart != 0u) {
    w_next[i] = restarted4(i / 4u, frame.key_base, frame.epochs)[lane];
    v_next[i] = 0.0;
    return;
  }
  if (i >= PARAMETERS) {
    w_next[i] = w[B3][lane] + select(0.0, 1.0, i == EPOCH_SLOT);
    v_next[i] = 0.0;
    return;
  }
  let own = select(vec4f(), vec4f(STEP), vec4u(0u, 1u, 2u, 3u) == vec4u(lane));
  grown_row = i / 4u;
  var change = 0.0;
  for (var s = 0u; s < SAMPLES; s++) {
    growth = vec4f();
    let base = sample_loss(data[s]);
    growth = own;
    change += sample_loss(data[s]) - base;
  }
  let gradient = change / (STEP * f32(SAMPLES));
  let step = MOMENTUM * v[i / 4u][lane] - LEARNING_RATE * gradient;
  v_next[i] = step;
  w_next[i] = w[i / 4u][lane] + step;
}
