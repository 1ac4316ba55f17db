// The end of pass 4: the points, dots with a dark rim, in sample order. A workgroup a dot, over
// the dot's own box of pixels. Where dots overlap, the first that covers a pixel paints the later
// ones over it too: one writer a pixel, and document 001's order.
// uses: plane
@group(0) @binding(0) var<storage, read> data: array<vec4f, SAMPLES>;        // (x, y, label, 0)
@group(0) @binding(1) var<storage, read_write> paint: array<vec4f, PIXELS>;  // RGBA, top row first

const THREADS = 128u;
const QUADS = (SAMPLES + 3u) / 4u;
const REACH_SQUARED = 0.00032;  // a dot's radius in the plane, squared (document 001)
const REACH = 0.0178885438;

// Not bool: neighbouring ones share a word, and lanes lost each other's writes on an NVIDIA H200.
var<workgroup> touches: array<vec4u, QUADS>;  // 1: this dot may overlap the workgroup's own
var<workgroup> near: array<u32, SAMPLES>;     // those that may, in sample order
var<workgroup> near_count: u32;

fn dotted(colour: vec3f, radius: f32, label: f32) -> vec3f {
  let rim = 1.0 - smoothstep(0.0155, 0.0178, radius);
  let core = 1.0 - smoothstep(0.0100, 0.0148, radius);
  let class_colour = select(DOT_1_COLOUR, DOT_0_COLOUR, label < 0.5);
  return mix(mix(colour, RIM_COLOUR, rim), class_colour, core);
}

fn distance_squared(a: vec2f, b: vec2f) -> f32 {
  return dot(a - b, a - b);
}

fn paint_pixel(own: u32, column: u32, row: u32) {
  let point = vec2f(plane_x(f32(column)), plane_y(f32(row)));
  let pixel = row * WIDTH + column;
  if (distance_squared(point, data[own].xy) >= REACH_SQUARED) { return; }
  var colour = paint[pixel].rgb;
  for (var i = 0u; i < near_count; i++) {
    let s = near[i];
    let squared = distance_squared(point, data[s].xy);
    if (squared < REACH_SQUARED) {
      if (s < own) { return; }  // an earlier dot owns this pixel
      colour = dotted(colour, sqrt(squared), data[s].z);
    }
  }
  paint[pixel] = vec4f(colour, 1.0);
}

// The box of pixels, clipped to the picture, that the dot at `centre` may cover: (first, end).
fn box_of(centre: vec2f) -> vec4u {
  let scale = 0.5 * f32(HEIGHT);  // pixels to a unit of the plane
  let middle = vec2f(0.5 * f32(WIDTH), 0.5 * f32(HEIGHT)) + vec2f(centre.x, -centre.y) * scale;
  let low = clamp(floor(middle - REACH * scale - 1.0), vec2f(), vec2f(f32(WIDTH), f32(HEIGHT)));
  let high = clamp(ceil(middle + REACH * scale + 1.0), vec2f(), vec2f(f32(WIDTH), f32(HEIGHT)));
  return vec4u(vec2u(low), vec2u(high));
}

// Which of the dots 4 quad to 4 quad + 3 may overlap the dot at `centre`: 1 each.
fn touches4(quad: u32, centre: vec2f) -> vec4u {
  var flags = vec4u();
  for (var i = 0u; i < 4u; i++) {
    let s = 4u * quad + i;
    if (s < SAMPLES && distance_squared(data[s].xy, centre) < 4.0 * REACH_SQUARED) {
      flags[i] = 1u;
    }
  }
  return flags;
}

// Lists those that may, in sample order: for one thread, which so reads four flags at a time.
fn list_near() {
  var count = 0u;
  for (var quad = 0u; quad < QUADS; quad++) {
    let flags = touches[quad];
    if (any(flags != vec4u())) {
      for (var i = 0u; i < 4u; i++) {
        if (flags[i] == 1u) {
          near[count] = 4u * quad + i;
          count++;
        }
      }
    }
  }
  near_count = count;
}

@compute @workgroup_size(128)
fn dots(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let own = group.x;
  let centre = data[own].xy;
  for (var quad = thread; quad < QUADS; quad += THREADS) { touches[quad] = touches4(quad, centre); }
  workgroupBarrier();
  if (thread == 0u) { list_near(); }
  workgroupBarrier();
  let box = box_of(centre);
  let width = box.z - box.x;
  for (var i = thread; i < width * (box.w - box.y); i += THREADS) {
    paint_pixel(own, box.x + i % width, box.y + i / width);
  }
}
