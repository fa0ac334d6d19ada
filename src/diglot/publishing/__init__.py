"""From a manifest to an output folder that holds just these files.

Every publication takes the same way. What is known of the folder is compared with the manifest: the folder is
scanned, or remembered by the process that last published there (`folder_state`). A plan follows from that
(`plan`), and is checked before anything is touched (`checks`). Then new files are written aside and renamed
into place, or the whole folder is exchanged (`putting`). At the end the output index notes what was left
(`publisher`).
"""
