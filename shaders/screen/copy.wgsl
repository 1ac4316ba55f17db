// The paint buffer as an 8-bit texture that can be sampled with filtering. No gamma is added:
// document 001's colours are meant as they stand.
@group(0) @binding(0) var<storage, read> paint: array<vec4f, PIXELS>;  // RGBA, top row first
@group(0) @binding(1) var picture: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn copy(@builtin(global_invocation_id) thread: vec3u) {
  if (thread.x >= WIDTH || thread.y >= HEIGHT) { return; }
  textureStore(picture, thread.xy, paint[thread.y * WIDTH + thread.x]);
}
