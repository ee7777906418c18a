// Routes of brushes on hair.
#include "tools/studio/server/http/routes.h"

enum { MAX_STRANDS = 200000 };

static coif_brush_query read_query(const coif_request *request)
{
    return (coif_brush_query){
        .groom = (int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
        .limit = (int32_t)coif_request_number(request, "limit", 2000, 1, MAX_STRANDS),
        .session = (uint32_t)coif_request_number(request, "session", 0, 0, UINT32_MAX),
        .since = (uint64_t)coif_request_number(request, "since", 0, 0, INT64_MAX)};
}

// ?groom=0&limit=8000&session=3&since=120: strands that changed; all of them in another session.
coif_status coif_route_brushed_strands(const coif_services *services, const coif_request *request,
                                       coif_reply *reply, coif_error *error)
{
    const coif_brush_query query = read_query(request);
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    COIF_TRY(coif_brush_session_read(&out, services->brush, services->studio, &query, error));
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// As above with &stroke=ID, and &mask_layer=2&mask_texel=257 for a mask; the body are dabs.
coif_status coif_route_brush(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    const coif_brush_query query = read_query(request);
    const char *stroke = coif_request_query(request, "stroke");
    const coif_brush_request brush = {
        .stroke = stroke != NULL ? stroke : "",
        .dabs = request->body,
        .size = request->body_size,
        .mask_layer = (int32_t)coif_request_number(request, "mask_layer", -1, -1, INT32_MAX),
        .mask_texel = (uint16_t)coif_request_number(request, "mask_texel", 0, 0, 65535)};
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    COIF_TRY(
        coif_brush_session_apply(&out, services->brush, services->studio, &query, &brush, error));
    reply->interactive = true;
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}
