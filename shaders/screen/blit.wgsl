// Shows the picture letterboxed on a target of any size. The bars are made here, in the fragment
// shader: a viewport would round them to whole pixels.
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;
@group(0) @binding(2) var<uniform> target_size: vec2f;  // px

const BAR_COLOUR = vec4f(0.006, 0.010, 0.023, 1.0);
const MOST_TAPS = 8.0;  // a side of the box that a shrunk pixel averages

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
  // One triangle that covers the target: (-1, -1), (3, -1), (-1, 3).
  return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// The mean of the picture over a box of `texels` a side around `centre` (px of the picture). A
// linear sample covers two texels, so that fewer than one tap for two would miss some.
fn box_mean(centre: vec2f, texels: f32, size: vec2f) -> vec4f {
  let taps = clamp(ceil(texels * 0.5), 1.0, MOST_TAPS);
  var sum = vec4f();
  for (var j = 0.5; j < taps; j += 1.0) {
    for (var i = 0.5; i < taps; i += 1.0) {
      let offset = (vec2f(i, j) / taps - 0.5) * texels;
      sum += textureSampleLevel(picture, smooth_sampler, (centre + offset) / size, 0.0);
    }
  }
  return sum / (taps * taps);
}

@fragment
fn blit(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let size = vec2f(textureDimensions(picture));
  let scale = min(target_size.x / size.x, target_size.y / size.y);
  let place = (position.xy - 0.5 * target_size) / scale + 0.5 * size;
  if (any(place < vec2f()) || any(place >= size)) { return BAR_COLOUR; }
  return box_mean(place, 1.0 / scale, size);
}
