import { setting, wholeNumber } from './setting.ts'

const megabytes = wholeNumber.min(0).max(100_000_000)

/** Drive capacity and file size limits. */
export const driveSettings = {
  drive_quota_megabytes: setting({
    env: 'WORKSPACE_DRIVE_QUOTA_MEGABYTES',
    flag: '--drive-quota-megabytes <number>',
    type: megabytes,
    default: 10_240,
    help: 'Drive quota per person, including earlier versions and the trash. 0: no limit.',
  }),
  drive_file_megabytes: setting({
    env: 'WORKSPACE_DRIVE_FILE_MEGABYTES',
    flag: '--drive-file-megabytes <number>',
    type: megabytes.min(1),
    default: 2048,
    help: 'Maximum size of an uploaded file.',
  }),
  drive_url_megabytes: setting({
    env: 'WORKSPACE_DRIVE_URL_MEGABYTES',
    flag: '--drive-url-megabytes <number>',
    type: wholeNumber.min(1).max(500),
    default: 25,
    help: 'Maximum size of a file fetched from a web address.',
  }),
}
