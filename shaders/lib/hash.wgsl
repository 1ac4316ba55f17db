// Chance from integers: the same bits on every driver, unlike fract(sin(x)).

// The MurmurHash3 finaliser behind one multiplication; wraps modulo 2^32. hash_u32(0) is 0.
fn hash_u32(key: u32) -> u32 {
  var h = key * 374761393u;
  h = (h ^ (h >> 16u)) * 2246822519u;
  h = (h ^ (h >> 13u)) * 3266489917u;
  return h ^ (h >> 16u);
}

// A number in [0, 1] drawn by `key`.
fn rand_unit(key: u32) -> f32 {
  return f32(hash_u32(key)) / 4294967295.0;
}
