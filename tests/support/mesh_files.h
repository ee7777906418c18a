// The same cube as OBJ, PLY and GLB, with uv and normals of corners, and damage of GLB files.
#ifndef COIF_TESTS_SUPPORT_MESH_FILES_H
#define COIF_TESTS_SUPPORT_MESH_FILES_H

#include "core/base/arena.h"
#include "core/base/vec.h"

#include <stdio.h>
#include <string.h>

// Faces of a cube from -1 to 1: normal, and four corners counter-clockwise seen from outside.
static inline coif_vec3 cube_normal(int face)
{
    const float s = face % 2 == 0 ? 1.0f : -1.0f;
    return (coif_vec3){face / 2 == 0 ? s : 0.0f, face / 2 == 1 ? s : 0.0f,
                       face / 2 == 2 ? s : 0.0f};
}

static inline coif_vec2 cube_uv(int k)
{
    return (coif_vec2){k == 1 || k == 2 ? 0.75f : 0.25f, k > 1 ? 1.0f : 0.125f};
}

static inline coif_vec3 cube_corner(int face, int k)
{
    const float s = face % 2 == 0 ? 1.0f : -1.0f;
    const float a = k == 1 || k == 2 ? s : -s, b = k > 1 ? 1.0f : -1.0f;
    return face / 2 == 0   ? (coif_vec3){s, a, b}
           : face / 2 == 1 ? (coif_vec3){b, s, a}
                           : (coif_vec3){a, b, s};
}

typedef struct file_text {
    char data[16384];
    size_t size;
} file_text;

static inline void put(file_text *to, const void *data, size_t size)
{
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static inline void put_text(file_text *to, const char *text)
{
    put(to, text, strlen(text));
}

static inline void put_word(file_text *to, uint32_t word)
{
    put(to, &word, sizeof word);
}

static inline void put_float(file_text *to, float value, char format)
{
    unsigned char bytes[4];
    char text[32];
    memcpy(bytes, &value, 4);
    if (format == 'a') {
        snprintf(text, sizeof text, "%g ", (double)value);
        put_text(to, text);
    }
    for (int i = 0; i < 4 && format != 'a'; ++i) {
        put(to, &bytes[format == 'b' ? 3 - i : i], 1);
    }
}

static inline void cube_obj(file_text *to)
{
    to->size = 0;
    char line[160];
    for (int v = 0; v < 24; ++v) {
        const coif_vec3 p = cube_corner(v / 4, v % 4), n = cube_normal(v / 4);
        const coif_vec2 uv = cube_uv(v % 4);
        snprintf(line, sizeof line, "v %g %g %g\nvn %g %g %g\nvt %g %g\n", (double)p.x, (double)p.y,
                 (double)p.z, (double)n.x, (double)n.y, (double)n.z, (double)uv.x, (double)uv.y);
        put_text(to, line);
    }
    for (int f = 0; f < 6; ++f) {
        put_text(to, "f");
        for (int k = 0; k < 4; ++k) {
            int first = 4 * f + k; // the first vertex at this position
            const coif_vec3 p = cube_corner(f, k);
            for (int v = first - 1; v >= 0; --v) {
                const coif_vec3 q = cube_corner(v / 4, v % 4);
                first = p.x == q.x && p.y == q.y && p.z == q.z ? v : first;
            }
            snprintf(line, sizeof line, " %d/%d/%d", first + 1, 4 * f + k + 1, 4 * f + k + 1);
            put_text(to, line);
        }
        put_text(to, "\n");
    }
}

// Format: 'a' ASCII, 'l' and 'b' binary little- and big-endian.
static inline void cube_ply(file_text *to, char format)
{
    to->size = 0;
    put_text(to, "ply\nformat ");
    put_text(to, format == 'a'   ? "ascii"
                 : format == 'b' ? "binary_big_endian"
                                 : "binary_little_endian");
    put_text(to, " 1.0\ncomment a cube\nelement vertex 24\nproperty float x\nproperty float y\n"
                 "property float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
                 "property float s\nproperty float t\nproperty uchar red\nelement face 6\n"
                 "property list uchar uchar vertex_indices\nend_header\n");
    for (int v = 0; v < 24; ++v) {
        const coif_vec3 p = cube_corner(v / 4, v % 4), n = cube_normal(v / 4);
        const coif_vec2 uv = cube_uv(v % 4);
        const float numbers[] = {p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y};
        for (int i = 0; i < 8; ++i) {
            put_float(to, numbers[i], format);
        }
        put(to, format == 'a' ? "255\n" : "\xff", format == 'a' ? 4 : 1);
    }
    for (int f = 0; f < 6; ++f) {
        const unsigned char row[] = {4, (unsigned char)(4 * f), (unsigned char)(4 * f + 1),
                                     (unsigned char)(4 * f + 2), (unsigned char)(4 * f + 3)};
        char line[64];
        snprintf(line, sizeof line, "4 %d %d %d %d\n", row[1], row[2], row[3], row[4]);
        format == 'a' ? put_text(to, line) : put(to, row, sizeof row);
    }
}

// Header and chunks around a JSON text and a buffer.
static inline void glb_of(file_text *to, const char *json, const file_text *buffer)
{
    const uint32_t length = (uint32_t)(strlen(json) + 3) / 4 * 4;
    to->size = 0;
    put_text(to, "glTF");
    put_word(to, 2);
    put_word(to, 28 + length + (uint32_t)buffer->size);
    put_word(to, length);
    put_text(to, "JSON");
    put_text(to, json);
    put_text(to, &"   "[3 - (length - strlen(json))]);
    put_word(to, (uint32_t)buffer->size);
    put(to, "BIN", 4);
    put(to, buffer->data, buffer->size);
}

#define CUBE_ACCESSORS                                                                             \
    "\"buffers\": [{\"byteLength\": 840}], \"bufferViews\": ["                                     \
    "{\"buffer\": 0, \"byteLength\": 768, \"byteStride\": 32},"                                    \
    "{\"buffer\": 0, \"byteOffset\": 768, \"byteLength\": 72}], \"accessors\": ["                  \
    "{\"bufferView\": 0, \"componentType\": 5126, \"count\": 24, \"type\": \"VEC3\"},"             \
    "{\"bufferView\": 0, \"byteOffset\": 12, \"componentType\": 5126, \"count\": 24,"              \
    " \"type\": \"VEC3\"},"                                                                        \
    "{\"bufferView\": 0, \"byteOffset\": 24, \"componentType\": 5126, \"count\": 24,"              \
    " \"type\": \"VEC2\"},"                                                                        \
    "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 18, \"type\": \"SCALAR\"},"           \
    "{\"bufferView\": 1, \"byteOffset\": 36, \"componentType\": 5123, \"count\": 18,"              \
    " \"type\": \"SCALAR\"}],"                                                                     \
    "\"materials\": [{\"name\": \"skin\"}, {\"name\": \"eye\"}],"
#define CUBE_ATTRIBUTES "\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, \"TEXCOORD_0\": 2}"
#define CUBE_MESHES                                                                                \
    "\"meshes\": [{\"primitives\": [{" CUBE_ATTRIBUTES                                             \
    ", \"indices\": 3, \"material\": 0}, {" CUBE_ATTRIBUTES                                        \
    ", \"indices\": 4, \"material\": 1}]}],"
#define CUBE_DOCUMENT CUBE_ACCESSORS CUBE_MESHES

// A cube of two primitives with three faces each; nodes: the members of the document after meshes.
static inline void cube_glb(file_text *to, const char *document)
{
    file_text buffer = {.size = 0};
    char json[4096];
    for (int v = 0; v < 24; ++v) {
        const coif_vec3 p = cube_corner(v / 4, v % 4), n = cube_normal(v / 4);
        const coif_vec2 uv = cube_uv(v % 4);
        const float numbers[] = {p.x, p.y, p.z, n.x, n.y, n.z, uv.x, 1.0f - uv.y};
        put(&buffer, numbers, sizeof numbers);
    }
    for (int i = 0; i < 36; ++i) {
        static const int corners[] = {0, 1, 2, 0, 2, 3};
        const uint16_t index = (uint16_t)(4 * (i / 6) + corners[i % 6]);
        put(&buffer, &index, sizeof index);
    }
    snprintf(json, sizeof json, "{\"asset\": {\"version\": \"2.0\", \"generator\": \"test\"}, %s}",
             document);
    glb_of(to, json, &buffer);
}

#endif
