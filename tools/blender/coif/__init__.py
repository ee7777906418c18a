# Add-on of Blender: sends characters to coif and brings its hair back.
bl_info = {
    "name": "coif",
    "author": "The coif authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > coif",
    "description": "Groom, simulate and render hair with coif",
    "category": "Physics",
}


def register():
    from . import interface
    interface.register()


def unregister():
    from . import interface
    interface.unregister()
