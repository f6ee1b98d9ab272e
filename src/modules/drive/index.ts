import type { Module } from '../../operations/module.ts'
import { downloadFile, fetchFile, getFileContent } from './files/contents.ts'
import { fileDocument } from './documents.ts'
import { listDrives } from './files/drives.ts'
import { searchableFiles } from './searchable.ts'
import { getFile, listFiles, updateFile } from './files/files.ts'
import { uploadRoutes } from './uploads/public-routes.ts'
import { copyFile, createFolder, moveFile, trashFile } from './files/moves.ts'
import { sharedLinks } from './shares/public-links.ts'
import { searchFiles } from './search.ts'
import { createShareLink, revokeShare, shareFile } from './shares/shares.ts'
import { sweepContents } from './files/content-cleanup.ts'
import { uploadChangesTick, syncDrives, wakeDriveSyncs } from './sync/jobs.ts'
import { readDriveTexts } from './sync/google-texts.ts'
import { readFileText } from './sync/texts.ts'
import { createUploadSession, uploadFile } from './uploads/uploads.ts'
import { listFileVersions, restoreFileVersion, updateFileContent } from './files/versions.ts'
import { drivePresenters } from './presenters.ts'

export const driveModule: Module = {
  name: 'drive',
  about:
    'Files and folders of people and projects, with versions, shares, share links and document text, including connected drives. Nouns: drive, file, folder, version, upload session, share.',
  operations: [
    listDrives,
    listFiles,
    searchFiles,
    getFile,
    getFileContent,
    uploadFile,
    createUploadSession,
    updateFileContent,
    updateFile,
    moveFile,
    copyFile,
    trashFile,
    createFolder,
    listFileVersions,
    restoreFileVersion,
    shareFile,
    createShareLink,
    revokeShare,
    fetchFile,
    downloadFile,
  ],
  documents: [fileDocument],
  places: [...uploadRoutes, ...sharedLinks],
  events: ['file.version_added', 'file.moved', 'file.shared'],
  ticks: [wakeDriveSyncs, uploadChangesTick],
  jobs: [readFileText, sweepContents, syncDrives, readDriveTexts],
  schedules: [{ name: 'sweep_contents', cron: '17 * * * *', kind: sweepContents.name }],
  searchables: [searchableFiles],
  presenters: drivePresenters,
}
