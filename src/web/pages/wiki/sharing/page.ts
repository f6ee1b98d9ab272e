import type { Output } from '../../../api/client.ts'
import { readOperationAgain } from '../../../api/queries.ts'

/** A page with who sees it. */
export type SharedPage = Output<'get_page'>

/** Has what is known of pages read again. */
export const pageChanged = () => readOperationAgain('get_page')
