import { ApiError } from '../../api/problem.ts'
import { pause } from '../../api/upload/in-parts.ts'
import { cancelUpload, uploadFile } from '../../api/upload/upload.ts'

const retryMs = 3000

export interface UploadState {
  /** Fraction uploaded, from 0 to 1. */
  fraction: number
  /** True while it waits for a connection. */
  isWaiting: boolean
}

/** Upload of a file that was added to a text in the editor. */
export class EditorUpload {
  readonly file: File
  readonly #abortController = new AbortController()
  readonly #listeners = new Set<(state: UploadState) => void>()
  state: UploadState = { fraction: 0, isWaiting: false }

  constructor(file: File) {
    this.file = file
  }

  /** Subscribes to progress. */
  onProgress(listener: (state: UploadState) => void): void {
    this.#listeners.add(listener)
  }

  get isCancelled(): boolean {
    return this.#abortController.signal.aborted
  }

  cancel(): void {
    this.#abortController.abort()
  }

  /** Uploads it; waits for a connection if offline. @throws ApiError; DOMException AbortError */
  async send(): Promise<{ id: string; title: string }> {
    try {
      return await this.#sendWithRetries(this.#abortController.signal)
    } catch (error) {
      if (this.isCancelled) await cancelUpload({ file: this.file })
      throw error
    }
  }

  async #sendWithRetries(signal: AbortSignal): Promise<{ id: string; title: string }> {
    for (;;)
      try {
        signal.throwIfAborted()
        return await uploadFile(this.file, {
          signal,
          onProgress: (fraction) => this.#setState({ fraction, isWaiting: false }),
          onWaiting: (isWaiting) => this.#setState({ ...this.state, isWaiting }),
        })
      } catch (error) {
        if (!(error instanceof ApiError && error.isOffline)) throw error
        this.#setState({ ...this.state, isWaiting: true })
        await pause(retryMs, signal)
      }
  }

  #setState(state: UploadState): void {
    this.state = state
    for (const listener of this.#listeners) listener(state)
  }
}
