import type { Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'

/** A page with its readers. */
export type SharedPage = Output<'get_page'>

/** Reloads page data. */
export const reloadPage = () => invalidateOperations('get_page')
