# Settings, operators and panels of the add-on in the sidebar of the 3-D viewport.
import os

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty)

from . import caches, collect
from .formats import Error
from .job import Job


class CoifPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    program: StringProperty(name="coif", subtype="FILE_PATH", default="coif",
                            description="Path of the program coif; 'coif' alone is found on the PATH")

    def draw(self, _context):
        self.layout.prop(self, "program")


def has_guides(_self, thing):
    return thing.type in {"CURVE", "CURVES"} or bool(thing.type == "MESH" and thing.particle_systems)


class CoifObject(bpy.types.PropertyGroup):
    body: BoolProperty(name="Body", description="Send this mesh to coif: hair collides with it")
    animated: BoolProperty(name="Animated", description="Send the evaluated mesh of every frame instead of the first")
    collide: BoolProperty(name="Collide", default=True, description="Hair collides with this body")
    hair: BoolProperty(name="Hair", description="Grow hair on this body")
    count: IntProperty(name="Strands", default=15000, min=1, max=10000000,
                       description="Number of strands if the density is 1 everywhere")
    points: IntProperty(name="Points", default=24, min=2, max=1000, description="Points per strand")
    length: FloatProperty(name="Length", default=0.2, min=0.0001, subtype="DISTANCE",
                          description="Length of the strands; guides have their own")
    radius: FloatProperty(name="Radius (mm)", default=0.04, min=0.0001, max=10, precision=3,
                          description="Radius of a strand in millimetres")
    density: EnumProperty(name="Density", items=[
        ("NONE", "Everywhere", "Hair on the whole mesh"),
        ("GROUP", "Vertex Group", "The weights of a vertex group are the density"),
        ("IMAGE", "Image", "The first channel of an image over the UV map is the density")])
    vertex_group: StringProperty(name="Vertex Group", description="Vertex group whose weights are the density")
    image: PointerProperty(name="Image", type=bpy.types.Image, description="Image whose first channel is the density")
    map_size: IntProperty(name="Map Size", default=512, min=16, max=4096,
                          description="Width and height of the image made from the vertex group")
    guides: PointerProperty(name="Guides", type=bpy.types.Object, poll=has_guides,
                            description="Curve object, hair curves, or mesh with particle hair that shapes the strands")


class CoifScene(bpy.types.PropertyGroup):
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//coif",
                           description="Folder of the coif scene, its caches and images")
    samples: IntProperty(name="Samples", default=64, min=1, max=1048576, description="Samples per pixel of renders")
    all_strands: BoolProperty(name="All Strands", default=True,
                              description="Bring back all strands; otherwise those that are simulated")
    settings: PointerProperty(name="Settings", type=bpy.types.Text,
                              description="Text block with JSON that is merged into the coif scene")


def program_of(context):
    addon = context.preferences.addons.get(__package__)
    return bpy.path.abspath(addon.preferences.program) if addon else "coif"


def commands_of(scene, task):
    """Command lines of a task and the number of frames they report."""
    folder, hairs = collect.folder_of(scene), collect.hairs_of(scene)
    path, out = os.path.join(folder, "scene.json"), os.path.join(folder, "out")
    frames = "%d-%d" % (scene.frame_start, scene.frame_end)
    count = scene.frame_end - scene.frame_start + 1
    if task == "GROOM":
        return [["groom", path, "--out", out]], 1
    if task == "RENDER":
        return [["render", path, "--cache", out, "--out", os.path.join(folder, "render"), "--frames", frames]], count
    exports = [["export", path, os.path.join(folder, "strands", name + ".####.ply"), "--cache", out, "--groom", name,
                "--frames", frames] + (["--expand"] if scene.coif.all_strands else []) for name in hairs.values()]
    os.makedirs(os.path.join(folder, "strands"), exist_ok=True)
    return [["sim", path, "--out", out]] + exports, count * 2 * len(hairs)


def load_caches(context):
    folder, loaded = os.path.join(context.scene.coif.folder, "strands"), []
    for name in collect.hairs_of(context.scene).values():
        loaded.append(caches.load(context, name, os.path.join(folder, name + ".####.ply")))
    return loaded


class COIF_OT_export(bpy.types.Operator):
    """Write bodies, guides, density maps, camera and lights as a coif scene"""
    bl_idname, bl_label = "coif.export", "Send Scene"

    def execute(self, context):
        try:
            self.report({"INFO"}, "Wrote %s" % collect.export(context))
        except (Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class COIF_OT_run(bpy.types.Operator):
    """Send the scene and run coif on it; ESC cancels, and the next run resumes"""
    bl_idname, bl_label, bl_options = "coif.run", "Run coif", {"REGISTER", "UNDO"}
    task: EnumProperty(name="Task", items=[
        ("GROOM", "Groom", "Generate the hair in the rest pose"),
        ("SIM", "Simulate", "Simulate all frames and bring the hair back as hair curves"),
        ("RENDER", "Render", "Render the simulated frames with coif")])

    @classmethod
    def description(cls, _context, properties):
        return {"GROOM": "Generate the hair in the rest pose. ESC cancels",
                "SIM": "Simulate all frames of the scene and bring the hair back as hair curves. ESC cancels",
                "RENDER": "Render the simulated frames into the folder render. ESC cancels"}[properties.task]

    running = False  # in a window one job at a time writes to the folder

    @classmethod
    def poll(cls, _context):
        return not COIF_OT_run.running

    def start(self, context):
        try:
            collect.export(context)
            self.job = Job(program_of(context), *commands_of(context.scene, self.task))
            return True
        except (Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return False

    def end(self, context):
        for text in self.job.warnings:
            self.report({"WARNING"}, text)
        if self.job.error:
            self.report({"ERROR"}, self.job.error)
            return {"CANCELLED"}
        if self.job.cancelled:
            self.report({"INFO"}, "coif cancelled; the next run resumes")
            return {"CANCELLED"}
        if self.task == "SIM":
            try:
                load_caches(context)
            except (Error, OSError) as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
        self.report({"INFO"}, "coif: %s" % self.job.text)
        return {"FINISHED"}

    def execute(self, context):
        if not self.start(context):
            return {"CANCELLED"}
        self.job.run()
        return self.end(context)

    def invoke(self, context, _event):
        if not self.start(context):
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0, 100)
        self.timer = manager.event_timer_add(0.2, window=context.window)
        manager.modal_handler_add(self)
        COIF_OT_run.running = True
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self.job.cancel()
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        running = self.job.poll()
        context.window_manager.progress_update(int(100 * self.job.fraction))
        context.workspace.status_text_set("coif %d %%  %s  (ESC cancels)" % (100 * self.job.fraction, self.job.text))
        if running:
            return {"RUNNING_MODAL"}
        self.close(context)
        return self.end(context)

    def close(self, context):
        COIF_OT_run.running = False
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def cancel(self, context):
        """Blender loads another file or quits."""
        self.job.cancel()
        self.close(context)


class COIF_OT_load(bpy.types.Operator):
    """Bring simulated hair back as hair curves that follow the current frame"""
    bl_idname, bl_label, bl_options = "coif.load", "Load Hair", {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            loaded = load_caches(context)
        except (Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, "Loaded %s" % ", ".join(thing.name for thing in loaded))
        return {"FINISHED"}


class CoifPanel:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "coif"


class COIF_PT_object(CoifPanel, bpy.types.Panel):
    bl_label = "Body and Hair"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        layout, thing = self.layout, context.object
        settings = thing.coif
        layout.use_property_split, layout.use_property_decorate = True, False
        layout.label(text=thing.name, icon="MESH_DATA")
        layout.prop(settings, "body")
        column = layout.column()
        column.enabled = settings.body
        for name in ("animated", "collide", "hair"):
            column.prop(settings, name)
        if not settings.hair:
            return
        for name in ("count", "points", "radius", "guides"):
            column.prop(settings, name)
        if settings.guides is None:
            column.prop(settings, "length")
        column.prop(settings, "density")
        if settings.density == "GROUP":
            column.prop_search(settings, "vertex_group", thing, "vertex_groups")
            column.prop(settings, "map_size")
        elif settings.density == "IMAGE":
            column.template_ID(settings, "image", open="image.open")


class COIF_PT_scene(CoifPanel, bpy.types.Panel):
    bl_label = "Scene"

    def draw(self, context):
        layout, settings = self.layout, context.scene.coif
        layout.use_property_split, layout.use_property_decorate = True, False
        for name in ("folder", "settings", "samples", "all_strands"):
            layout.prop(settings, name)
        layout.operator("coif.export", icon="EXPORT")
        for task, icon in (("GROOM", "STRANDS"), ("SIM", "PHYSICS"), ("RENDER", "RENDER_ANIMATION")):
            layout.operator("coif.run", text=task.title() if task != "SIM" else "Simulate", icon=icon).task = task
        layout.operator("coif.load", icon="IMPORT")


CLASSES = (CoifPreferences, CoifObject, CoifScene, COIF_OT_export, COIF_OT_run, COIF_OT_load, COIF_PT_object,
           COIF_PT_scene)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.coif = PointerProperty(type=CoifObject)
    bpy.types.Scene.coif = PointerProperty(type=CoifScene)
    bpy.app.handlers.frame_change_post.append(caches.follow_frame)


def unregister():
    bpy.app.handlers.frame_change_post.remove(caches.follow_frame)
    del bpy.types.Scene.coif, bpy.types.Object.coif
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
