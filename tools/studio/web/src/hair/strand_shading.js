// Strand shading of the WebGL and the software renderer: Kajiya and Kay, "Rendering fur with three dimensional
// textures", 1989. With tangent t, light l and view direction v:
//
//   sinTL = sqrt(1 - (t.l)^2), sinTV = sqrt(1 - (t.v)^2)
//   shade = color (AMBIENT + DIFFUSE sinTL) + (SPECULAR + SPECULAR_TINT color) max(0, sinTL sinTV - (t.l)(t.v))^EXPONENT

export const LIGHT_DIRECTION = normalize([-0.45, 0.7, 0.55]); // in view space: over the left shoulder
export const AMBIENT = 0.6;
export const DIFFUSE = 0.6;
export const SPECULAR = 0.05;
export const SPECULAR_TINT = 0.35;
export const EXPONENT = 24; // the software renderer multiplies it out

/** @param {number[]} v */
function normalize(v) {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

const glsl = (/** @type {number} */ x) => x.toFixed(9);

// vec3 shadeStrand(vec3 color, vec3 tangent, vec3 toEye), unit vectors in view space.
export const SHADE_STRAND_GLSL = `
  vec3 shadeStrand(vec3 color, vec3 tangent, vec3 toEye) {
    vec3 light = vec3(${LIGHT_DIRECTION.map(glsl).join(', ')});
    float tl = dot(tangent, light), tv = dot(tangent, toEye);
    float sinTL = sqrt(max(0.0, 1.0 - tl * tl));
    float specular = max(0.0, sinTL * sqrt(max(0.0, 1.0 - tv * tv)) - tl * tv);
    return color * (${glsl(AMBIENT)} + ${glsl(DIFFUSE)} * sinTL)
      + (${glsl(SPECULAR)} + ${glsl(SPECULAR_TINT)} * color) * pow(specular, ${glsl(EXPONENT)});
  }`;
