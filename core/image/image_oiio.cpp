// Wrapper of OpenImageIO, its only user and the only C++ file.
//
// Files are encoded in memory and written by core/base/fs, so that writes are atomic and a full
// disk is detected. Pixels are passed unchanged: no colour management, no premultiplication, no
// time stamp.
#include "core/image/image_oiio.h"

#include <OpenImageIO/color.h>
#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace
{

struct image_file {
    std::unique_ptr<OIIO::ImageInput> input;
    int part;
};

void set_failure(coif_image_failure *failure, std::string text) noexcept
{
    for (char &letter : text) {
        letter = letter == '\n' || letter == '\r' ? ' ' : letter;
    }
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    std::snprintf(failure->text, sizeof failure->text, "%s",
                  text.empty() ? "unknown reason" : text.c_str());
}

// Runs work and converts exceptions to a failure message.
template <typename Work> bool catch_all(coif_image_failure *failure, Work work) noexcept
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        std::snprintf(failure->text, sizeof failure->text, "out of memory");
        failure->out_of_memory = 1;
    } catch (const std::exception &exception) {
        set_failure(failure, exception.what());
    } catch (...) {
        set_failure(failure, "an unknown exception");
    }
    return false;
}

int64_t copy_text(const std::string &text, char *out, size_t size)
{
    std::snprintf(out, size, "%s", text.c_str());
    return static_cast<int64_t>(text.size());
}

int32_t integer_bits(OIIO::TypeDesc type)
{
    return type == OIIO::TypeDesc::UINT8 ? 8 : type == OIIO::TypeDesc::UINT16 ? 16 : 0;
}

bool open_file(image_file *file, const char *format, const char *path, coif_image_failure *failure)
{
    file->input = OIIO::ImageInput::create(format);
    if (!file->input) {
        set_failure(failure, OIIO::geterror());
        return false;
    }
    OIIO::ImageSpec config, spec;
    config.attribute("oiio:UnassociatedAlpha", 1);
    if (!file->input->open(path, spec, config)) {
        set_failure(failure, file->input->geterror());
        return false;
    }
    return true;
}

void *module_open(const char *format, const char *path, int32_t part, coif_image_header *header,
                  coif_image_failure *failure) noexcept
{
    image_file *file = nullptr;
    const bool opened = catch_all(failure, [&] {
        file = new image_file;
        if (!open_file(file, format, path, failure)) {
            return false;
        }
        file->part = part;
        if (part != 0 && !file->input->seek_subimage(part, 0)) {
            set_failure(failure, "no part " + std::to_string(part));
            return false;
        }
        const OIIO::ImageSpec &spec = file->input->spec();
        *header = {spec.width,
                   spec.height,
                   spec.depth,
                   spec.nchannels,
                   integer_bits(spec.format),
                   spec.deep,
                   spec.x - spec.full_x,
                   spec.y - spec.full_y,
                   spec.full_width,
                   spec.full_height};
        return true;
    });
    if (!opened) {
        delete file;
        return nullptr;
    }
    return file;
}

void module_close(void *file) noexcept
{
    coif_image_failure failure;
    catch_all(&failure, [&] {
        delete static_cast<image_file *>(file);
        return true;
    });
}

int32_t module_read(void *file, float *pixels, coif_image_failure *failure) noexcept
{
    return catch_all(failure, [&] {
        OIIO::ImageInput *input = static_cast<image_file *>(file)->input.get();
        const int channels = input->spec().nchannels;
        const int part = static_cast<image_file *>(file)->part;
        const bool read = input->read_image(part, 0, 0, channels, OIIO::TypeFloat, pixels);
        // Some readers fill missing pixels and only set an error.
        if (!read || input->has_error()) {
            set_failure(failure, input->geterror());
            return false;
        }
        return true;
    });
}

int64_t module_channel_name(void *file, int32_t channel, char *name, size_t size) noexcept
{
    int64_t length = -1;
    coif_image_failure failure;
    catch_all(&failure, [&] {
        const OIIO::ImageSpec &spec = static_cast<image_file *>(file)->input->spec();
        length = copy_text(std::string(spec.channel_name(channel)), name, size);
        return true;
    });
    return length;
}

// Formats without custom keys store texts as "key: value" lines of the image description.
bool find_line(const std::string &lines, const std::string &key, std::string *value)
{
    size_t begin = 0;
    while (begin < lines.size()) {
        const size_t end = std::min(lines.find('\n', begin), lines.size());
        if (lines.compare(begin, key.size() + 2, key + ": ") == 0) {
            *value = lines.substr(begin + key.size() + 2, end - begin - key.size() - 2);
            return true;
        }
        begin = end + 1;
    }
    return false;
}

int64_t module_text(void *file, const char *key, char *value, size_t size) noexcept
{
    int64_t length = -1;
    coif_image_failure failure;
    catch_all(&failure, [&] {
        const OIIO::ImageSpec &spec = static_cast<image_file *>(file)->input->spec();
        std::string found;
        if (const OIIO::ParamValue *attribute = spec.find_attribute(key)) {
            length = copy_text(attribute->get_string(), value, size);
        } else if (find_line(spec.get_string_attribute("ImageDescription"), key, &found)) {
            length = copy_text(found, value, size);
        }
        return true;
    });
    return length;
}

OIIO::TypeDesc type_of(int32_t type)
{
    switch (type) {
    case 1:
        return OIIO::TypeDesc::UINT8;
    case 2:
        return OIIO::TypeDesc::UINT16;
    case 3:
        return OIIO::TypeDesc::HALF;
    default:
        return OIIO::TypeDesc::FLOAT;
    }
}

// Standard EXR attributes that are matrices; their text is sixteen numbers separated by commas.
bool is_matrix(const std::string &key)
{
    return key == "worldToCamera" || key == "worldToNDC";
}

// Numbers of an EXR header that are not text: chromaticities "rx,ry,gx,gy,bx,by,wx,wy",
// framesPerSecond "24/1", timeCode "00:00:01:12" (SMPTE 12M, binary coded decimals).
bool describe_numbers(OIIO::ImageSpec *spec, const std::string &key, const char *value, bool exr)
{
    float xy[8];
    int rate[2];
    unsigned int at[4];
    if (key == "chromaticities") {
        if (exr && sscanf(value, "%f,%f,%f,%f,%f,%f,%f,%f", xy, xy + 1, xy + 2, xy + 3, xy + 4,
                          xy + 5, xy + 6, xy + 7) == 8) {
            spec->attribute(key, OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), xy);
        }
        return true;
    }
    if (key == "framesPerSecond") {
        if (exr && sscanf(value, "%d/%d", rate, rate + 1) == 2) {
            spec->attribute("framesPerSecond", OIIO::TypeRational, rate);
        }
        return true;
    }
    if (key == "timeCode") {
        if (exr && sscanf(value, "%u:%u:%u:%u", at, at + 1, at + 2, at + 3) == 4) {
            unsigned int code[2] = {0, 0};
            for (int i = 0; i < 4; ++i) {
                code[0] = code[0] << 8 | (at[i] / 10 % 10) << 4 | at[i] % 10;
            }
            spec->attribute("smpte:TimeCode", OIIO::TypeTimeCode, code);
        }
        return true;
    }
    return false;
}

void describe_texts(OIIO::ImageSpec *spec, const coif_image_encode_desc *desc)
{
    const std::string format = desc->format;
    const bool keyed = format == "openexr" || format == "png";
    std::string lines;
    for (int32_t i = 0; i < desc->text_count; ++i) {
        const std::string key = desc->texts[2 * i], value = desc->texts[2 * i + 1];
        if (describe_numbers(spec, key, value.c_str(), format == "openexr")) {
            continue;
        }
        if (format == "openexr" && is_matrix(key)) {
            spec->attribute(key, OIIO::TypeMatrix, value);
        } else if (keyed) {
            spec->attribute(key, value);
        } else {
            lines += (lines.empty() ? "" : "\n") + key + ": " + value;
        }
    }
    if (!lines.empty()) {
        spec->attribute("ImageDescription", lines);
    }
    spec->attribute("Software", desc->software);

    // By default the EXR and TIFF writers store the current time. An empty EXR date is omitted; a
    // TIFF date has a fixed length, so the epoch is used.
    if (desc->date[0] != '\0') {
        spec->attribute("DateTime", desc->date);
    } else if (format == "openexr") {
        spec->attribute("DateTime", "");
    } else if (format == "tiff") {
        spec->attribute("DateTime", "1970:01:01 00:00:00");
    }
}

OIIO::ImageSpec describe(const coif_image_encode_desc *desc)
{
    OIIO::ImageSpec spec(desc->width, desc->height, desc->channel_count,
                         type_of(desc->channel_types[0]));
    bool mixed = false;
    for (int32_t i = 0; i < desc->channel_count; ++i) {
        const std::string name = desc->channel_names[i];
        spec.channelnames[static_cast<size_t>(i)] = name;
        spec.channelformats.push_back(type_of(desc->channel_types[i]));
        mixed = mixed || desc->channel_types[i] != desc->channel_types[0];
        if (name == "A") {
            spec.alpha_channel = i;
        }
        if (name == "Z") {
            spec.z_channel = i;
        }
    }
    if (!mixed) {
        spec.channelformats.clear();
    }
    describe_texts(&spec, desc);
    spec.attribute("oiio:UnassociatedAlpha", 1);
    spec.attribute("tiff:write_exif", 0);
    spec.attribute("jpeg:subsampling", "4:4:4");
    if (desc->fast) {
        spec.attribute("png:compressionLevel", 1);
    }
    if (desc->srgb) {
        spec.attribute("oiio:ColorSpace", "sRGB");
    }
    if (desc->compression != nullptr) {
        spec.attribute("compression", desc->compression);
    }
    if (desc->part != nullptr) {
        spec.attribute("oiio:subimagename", desc->part);
    }
    if (desc->full_width > 0) {
        spec.x = desc->x;
        spec.y = desc->y;
        spec.full_width = desc->full_width;
        spec.full_height = desc->full_height;
    }
    return spec;
}

// Encoded bytes: of a single image in memory, of a multi-part file in parts.
struct encoded {
    OIIO::Filesystem::IOVecOutput memory;
    std::vector<unsigned char> parts;
};

// Anonymous file in memory.
struct memory_file {
    const int number = memfd_create("coif", MFD_CLOEXEC);
    ~memory_file()
    {
        if (number >= 0) {
            close(number);
        }
    }
};

bool read_back(int number, std::vector<unsigned char> *bytes)
{
    const off_t size = lseek(number, 0, SEEK_END);
    bytes->resize(size > 0 ? static_cast<size_t>(size) : 0);
    size_t done = 0;
    while (done < bytes->size()) {
        const ssize_t count =
            pread(number, bytes->data() + done, bytes->size() - done, static_cast<off_t>(done));
        if (count <= 0) {
            return false;
        }
        done += static_cast<size_t>(count);
    }
    return size > 0;
}

// OpenImageIO declares all parts first and then writes them in order; it needs a file name for
// multi-part files.
bool encode_parts(const coif_image_encode_desc *parts, int32_t count, encoded *result,
                  coif_image_failure *failure)
{
    std::unique_ptr<OIIO::ImageOutput> output = OIIO::ImageOutput::create(parts->format);
    const memory_file file;
    if (!output || file.number < 0) {
        set_failure(failure, output ? "cannot create a file in memory" : OIIO::geterror());
        return false;
    }
    const std::string name = "/proc/self/fd/" + std::to_string(file.number);
    std::vector<OIIO::ImageSpec> specs;
    for (int32_t i = 0; i < count; ++i) {
        specs.push_back(describe(&parts[i]));
    }
    bool written = output->open(name, count, specs.data());
    for (int32_t i = 0; i < count && written; ++i) {
        written = (i == 0 || output->open(name, specs[static_cast<size_t>(i)],
                                          OIIO::ImageOutput::AppendSubimage)) &&
                  output->write_image(OIIO::TypeFloat, parts[i].pixels);
    }
    if (!output->close() || !written || !read_back(file.number, &result->parts)) {
        set_failure(failure, output->geterror());
        return false;
    }
    return true;
}

bool encode(const coif_image_encode_desc *desc, OIIO::Filesystem::IOVecOutput *memory,
            coif_image_failure *failure)
{
    std::unique_ptr<OIIO::ImageOutput> output = OIIO::ImageOutput::create(desc->format);
    if (!output) {
        set_failure(failure, OIIO::geterror());
        return false;
    }
    OIIO::ImageSpec spec = describe(desc);
    OIIO::Filesystem::IOProxy *proxy = memory;
    spec.attribute("oiio:ioproxy", OIIO::TypeDesc::PTR, &proxy);
    const bool written = output->open(std::string("memory.") + desc->format, spec) &&
                         output->write_image(OIIO::TypeFloat, desc->pixels);
    if (!output->close() || !written) {
        set_failure(failure, output->geterror());
        return false;
    }
    return true;
}

int32_t module_encode(const coif_image_encode_desc *parts, int32_t count, coif_image_bytes *bytes,
                      coif_image_failure *failure) noexcept
{
    *bytes = {};
    return catch_all(failure, [&] {
        auto result = std::make_unique<encoded>();
        if (!(count == 1 ? encode(parts, &result->memory, failure)
                         : encode_parts(parts, count, result.get(), failure))) {
            return false;
        }
        const std::vector<unsigned char> &found =
            count == 1 ? result->memory.buffer() : result->parts;
        bytes->data = found.data();
        bytes->size = found.size();
        bytes->owner = result.release();
        return true;
    });
}

void module_release(coif_image_bytes *bytes) noexcept
{
    delete static_cast<encoded *>(bytes->owner);
    *bytes = {};
}

std::string listed(const std::vector<std::string> &names)
{
    std::string list;
    for (const std::string &name : names) {
        list += (list.empty() ? "\"" : ", \"") + name + "\"";
    }
    return list.empty() ? "none" : list;
}

bool check_name(const char *kind, const std::string &name, const std::vector<std::string> &names,
                coif_image_failure *failure)
{
    if (std::find(names.begin(), names.end(), name) != names.end()) {
        return true;
    }
    set_failure(failure,
                std::string("no ") + kind + " \"" + name + "\"; expected " + listed(names));
    return false;
}

// Whether a configuration has a colour space of this name or alias.
bool has_space(const OIIO::ColorConfig &config, const std::string &name)
{
    for (const std::string &space : config.getColorSpaceNames()) {
        const std::vector<std::string> aliases = config.getAliases(space);
        if (space == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) {
            return true;
        }
    }
    return false;
}

bool find_space(std::string *space, const OIIO::ColorConfig &config,
                const coif_display_names *names, coif_image_failure *failure)
{
    *space = names->color_space;
    if (!space->empty()) {
        return has_space(config, *space) ||
               check_name("colour space", *space, config.getColorSpaceNames(), failure);
    }
    for (const char *const *known = names->known_spaces; *known != nullptr; ++known) {
        if (has_space(config, *known)) {
            *space = *known;
            return true;
        }
    }
    set_failure(failure, "which colour space is the working space? expected one of " +
                             listed(config.getColorSpaceNames()));
    return false;
}

// The names of looks in a list as "+warm, -contrast".
bool check_looks(const std::string &list, const std::vector<std::string> &looks,
                 coif_image_failure *failure)
{
    size_t begin = 0;
    while (begin < list.size()) {
        const size_t end = std::min(list.find_first_of(",:|", begin), list.size());
        const size_t first = list.find_first_not_of(" +-", begin);
        if (first < end) {
            const size_t last = list.find_last_not_of(' ', end - 1);
            if (!check_name("look", list.substr(first, last - first + 1), looks, failure)) {
                return false;
            }
        }
        begin = end + 1;
    }
    return true;
}

// Looks on the colour space of the pixels, then the view. OpenImageIO 2.4 ignores the looks that
// are given with a view.
struct display_processor {
    OIIO::ColorProcessorHandle look, view;
};

bool open_display(display_processor *display, const coif_display_names *names,
                  coif_image_failure *failure)
{
    if (!OIIO::ColorConfig::supportsOpenColorIO()) {
        set_failure(failure, "this OpenImageIO was built without OpenColorIO");
        return false;
    }
    OIIO::ColorConfig config(names->config);
    if (config.has_error()) {
        set_failure(failure, config.geterror());
        return false;
    }
    const auto or_empty = [](const char *text) { return std::string(text != nullptr ? text : ""); };
    std::string screen = names->display, view = names->view, space;
    screen = screen.empty() ? or_empty(config.getDefaultDisplayName()) : screen;
    if (!check_name("display", screen, config.getDisplayNames(), failure)) {
        return false;
    }
    view = view.empty() ? or_empty(config.getDefaultViewName(screen)) : view;
    if (!check_name("view", view, config.getViewNames(screen), failure) ||
        !check_looks(names->look, config.getLookNames(), failure) ||
        !find_space(&space, config, names, failure)) {
        return false;
    }
    const std::string looks = names->look;
    display->look = looks.empty() ? nullptr : config.createLookTransform(looks, space, space);
    display->view = config.createDisplayTransform(screen, view, space);
    if (!display->view || (!looks.empty() && !display->look)) {
        set_failure(failure, config.geterror());
        return false;
    }
    return true;
}

void *module_display_open(const coif_display_names *names, coif_image_failure *failure) noexcept
{
    display_processor *display = nullptr;
    const bool opened = catch_all(failure, [&] {
        display = new display_processor;
        return open_display(display, names, failure);
    });
    if (!opened) {
        delete display;
        return nullptr;
    }
    return display;
}

int32_t module_display_apply(void *display, float *pixels, int64_t count, int32_t channels,
                             coif_image_failure *failure) noexcept
{
    return catch_all(failure, [&] {
        const display_processor *processor = static_cast<display_processor *>(display);
        const OIIO::stride_t pixel = channels * static_cast<OIIO::stride_t>(sizeof(float));
        // In rows, since sizes are int.
        for (int64_t at = 0; at < count;) {
            const int width = static_cast<int>(std::min<int64_t>(count - at, 1 << 20));
            for (const OIIO::ColorProcessorHandle &step : {processor->look, processor->view}) {
                if (step) {
                    step->apply(pixels + at * channels, width, 1, channels, sizeof(float), pixel,
                                pixel * width);
                }
            }
            at += width;
        }
        return true;
    });
}

} // namespace

extern "C" __attribute__((visibility("default"))) const coif_oiio_module *coif_image_module_entry_6(
    void) noexcept
{
    static const coif_oiio_module module = {
        module_open,   module_close,   module_read,         module_channel_name, module_text,
        module_encode, module_release, module_display_open, module_display_apply};
    // Threads are managed by coif only.
    OIIO::attribute("threads", 1);
    OIIO::attribute("exr_threads", -1);
    return &module;
}
