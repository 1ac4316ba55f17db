// The network as the field kernel wants it. With c = 2 log2(e), tanh(a) = 1 - 2 / (1 + 2^(c a)).
// The kernel keeps r = 1 / (1 + 2^(c a)) of every neuron; the factor c, the 1 and the -2 are
// folded into the next layer's weights. Rows of four floats:
//   0-11   a first-layer neuron each: c W1.x, c W1.y, c b1, and 2^(c W1.x d), its factor from a
//          pixel to the next on the right, a distance d in the plane
//   12-47  W2 times -2 c, three rows to a neuron · 48-50  c (b2 + the sum of the neuron's W2)
//   51-53  W3 times c · 54  -c/2 (b3 + the sum of W3): p = 1 / (1 + 2^that)
const FOLDED_W2 = 12u;
const FOLDED_B2 = 48u;
const FOLDED_W3 = 51u;
const FOLDED_B3 = 54u;
