import { assistants } from '../../texts/en/assistants.ts'
import { keyTexts as shared } from '../keys/texts.ts'

/** What the screen of assistants says: loaded with it, not with the app. */
export const assistantTexts = { ...shared, assistants }
