import { errorMessage } from '../../api/problem.ts'
import { uploadFile } from '../../api/upload/upload.ts'
import { notify } from '../../store/index.ts'

/** Uploads files one by one for a message, mail or task; failures are reported in a notification. */
export async function uploadInTurn(
  files: readonly File[],
  /** Called for each file when it was uploaded, or (undefined) failed. */
  onEnd: (name: string, file: { id: string; title: string } | undefined) => Promise<void> | void,
  /** Receives the progress of each, from 0 to 1. */
  onProgress: (name: string, fraction: number) => void = () => {},
): Promise<void> {
  for (const file of files) {
    try {
      await onEnd(
        file.name,
        await uploadFile(file, { onProgress: (fraction) => onProgress(file.name, fraction) }),
      )
    } catch (error) {
      await onEnd(file.name, undefined)
      notify({ text: file.name, problem: errorMessage(error), seconds: 0, actions: [] })
    }
  }
}
