import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { drive, file, fileVersion } from './access.ts'
import { showDrives } from './files/drives.ts'
import { showFiles, showVersions } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const drivePresenters = [
  presenter(file, {
    operation: 'list_files',
    entries: showFiles,
    get: { operation: 'get_file', argument: 'file_id' },
  }),
  partPresenter(fileVersion, {
    operation: 'list_file_versions',
    of: file,
    by: 'file_id',
    entries: showVersions,
  }),
  presenter(drive, { operation: 'list_drives', entries: showDrives }),
]
