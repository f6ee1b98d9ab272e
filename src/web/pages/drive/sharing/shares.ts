import type { Output } from '../../../api/client.ts'

export type FileShare = NonNullable<Output<'get_file'>['shares']>[number]
