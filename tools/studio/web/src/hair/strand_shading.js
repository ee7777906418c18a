// Strand shading of the WebGL and the software renderer, in linear light. Longitudinal lobes follow Marschner et al.,
// "Light scattering from human hair fibers", 2003: R, white and shifted towards the root, and TRT, coloured and shifted
// towards the tip. With tangent t (root to tip), light l, view v, and n the direction away from the head:
//
//   h = t.l + t.v + TILT_SPREAD (tilt - 1/2)                  close to 2 sin(theta_h); tilt: random per strand
//   near = cos(phi / 2),  cos(phi) = (l.v - (t.l)(t.v)) / (sinTL sinTV)
//   facing = 1/2 + 1/2 n.l                                    stands for the shadow of the hair on itself
//   light = color (AMBIENT + DIFFUSE sinTL facing) + facing (SHEEN + R near g(h; R_SHIFT, R_WIDTH)
//           + TRT near^2 sqrt(color) g(h; TRT_SHIFT, TRT_WIDTH)),   g(h; s, w) = exp(-((h - s) / w)^2)
//   shade = sqrt(x (1 + x / 4) / (1 + x)),  x = level light   tone curve; colours are squared to linearise them

export const LIGHT_DIRECTION = normalize([-0.45, 0.7, 0.55]); // in view space: over the left shoulder
export const AMBIENT = 0.5;
export const DIFFUSE = 2.6;
export const SHEEN = 0.008;
export const R = 0.26;
export const R_SHIFT = -0.17;
export const R_WIDTH = 0.22;
export const TRT = 0.5;
export const TRT_SHIFT = 0.26;
export const TRT_WIDTH = 0.5;
export const TILT_SPREAD = 0.35;
export const WHITE = 0.25; // of the tone curve

// Of all strands of the page: brightness by the lights and the exposure of the scene, and the centre of the head. Uniforms.
export const strandLight = { level: { value: 1 }, center: { value: [0, 0, 0] } };

/** @param {number[]} v */
function normalize(v) {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

const glsl = (/** @type {number} */ x) => x.toFixed(9);

// vec3 shadeStrand(vec4 color, vec3 tangent, vec3 toEye, vec3 outward): unit vectors in view space; the tilt is color.a.
export const SHADE_STRAND_GLSL = `
  uniform float level; uniform vec3 center;
  float lobe(float h, float shift, float width) { float x = (h - shift) / width; return exp(-x * x); }
  vec3 shadeStrand(vec4 color, vec3 tangent, vec3 toEye, vec3 outward) {
    vec3 light = vec3(${LIGHT_DIRECTION.map(glsl).join(', ')});
    float tl = dot(tangent, light), tv = dot(tangent, toEye);
    float sinTL = sqrt(max(0.0, 1.0 - tl * tl)), sinTV = sqrt(max(0.0, 1.0 - tv * tv));
    float near = 0.5 + 0.5 * clamp((dot(light, toEye) - tl * tv) / max(1e-3, sinTL * sinTV), -1.0, 1.0);
    float facing = 0.5 + 0.5 * dot(outward, light);
    float h = tl + tv + ${glsl(TILT_SPREAD)} * (color.a - 0.5);
    float r = ${glsl(R)} * sqrt(near) * lobe(h, ${glsl(R_SHIFT)}, ${glsl(R_WIDTH)});
    float trt = ${glsl(TRT)} * near * lobe(h, ${glsl(TRT_SHIFT)}, ${glsl(TRT_WIDTH)});
    vec3 x = level * (color.rgb * color.rgb * (${glsl(AMBIENT)} + ${glsl(DIFFUSE)} * sinTL * facing)
      + facing * (${glsl(SHEEN)} + r + trt * color.rgb));
    return sqrt(x * (1.0 + ${glsl(WHITE)} * x) / (1.0 + x));
  }`;
