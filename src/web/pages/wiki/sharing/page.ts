import type { Output } from '../../../api/client.ts'
import { readOperationAgain } from '../../../api/queries.ts'

/** A page with its readers. */
export type SharedPage = Output<'get_page'>

/** Reloads page data. */
export const reloadPage = () => readOperationAgain('get_page')
