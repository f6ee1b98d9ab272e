import { errorMessage } from '../../api/problem.ts'
import { uploadFile } from '../../api/upload/upload.ts'
import { notify } from '../../store/index.ts'

/** Uploads files one after the other, to go with a message, mail or task; why one did not arrive is said in a notice. */
export async function uploadInTurn(
  files: readonly File[],
  /** Hears of each file that it has arrived, or (undefined) that it did not. */
  ended: (name: string, file: { id: string; title: string } | undefined) => Promise<void> | void,
  /** Hears how much of each was sent, from 0 to 1. */
  progress: (name: string, part: number) => void = () => {},
): Promise<void> {
  for (const file of files) {
    try {
      await ended(
        file.name,
        await uploadFile(file, { progress: (part) => progress(file.name, part) }),
      )
    } catch (error) {
      await ended(file.name, undefined)
      notify({ text: file.name, problem: errorMessage(error), seconds: 0, actions: [] })
    }
  }
}
