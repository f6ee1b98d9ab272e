import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { drive, file, fileVersion } from './access.ts'
import { presentDrives } from './files/drives.ts'
import { presentFiles, presentFileVersions } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const drivePresenters = [
  presenter(file, {
    operation: 'list_files',
    entries: presentFiles,
    get: { operation: 'get_file', argument: 'file_id' },
  }),
  partPresenter(fileVersion, {
    operation: 'list_file_versions',
    resource: file,
    by: 'file_id',
    entries: presentFileVersions,
  }),
  presenter(drive, { operation: 'list_drives', entries: presentDrives }),
]
