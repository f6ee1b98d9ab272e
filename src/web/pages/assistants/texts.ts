import { assistants } from '../../texts/en/assistants.ts'
import { keyTexts as shared } from '../keys/texts.ts'

/** Texts of the assistants screen: loaded with it, not with the app. */
export const assistantTexts = { ...shared, assistants }
