import { ApiError } from '../../api/problem.ts'
import { pause } from '../../api/upload/in-parts.ts'
import { giveUpUpload, uploadFile } from '../../api/upload/upload.ts'

const retryMs = 3000

export interface UploadState {
  /** Fraction uploaded, from 0 to 1. */
  part: number
  /** True while it waits for a connection. */
  isWaiting: boolean
}

/** A file being uploaded for a text. */
export class TextUpload {
  readonly file: File
  readonly #end = new AbortController()
  readonly #listeners = new Set<(state: UploadState) => void>()
  state: UploadState = { part: 0, isWaiting: false }

  constructor(file: File) {
    this.file = file
  }

  /** Subscribes to progress. */
  onStep(listener: (state: UploadState) => void): void {
    this.#listeners.add(listener)
  }

  get isGivenUp(): boolean {
    return this.#end.signal.aborted
  }

  giveUp(): void {
    this.#end.abort()
  }

  /** Uploads it; waits for a connection if offline. @throws ApiError; DOMException AbortError */
  async send(): Promise<{ id: string; title: string }> {
    try {
      return await this.#sendConnected(this.#end.signal)
    } catch (error) {
      if (this.isGivenUp) await giveUpUpload({ file: this.file })
      throw error
    }
  }

  async #sendConnected(signal: AbortSignal): Promise<{ id: string; title: string }> {
    for (;;)
      try {
        signal.throwIfAborted()
        return await uploadFile(this.file, {
          signal,
          progress: (part) => this.#step({ part, isWaiting: false }),
          waiting: (isWaiting) => this.#step({ ...this.state, isWaiting }),
        })
      } catch (error) {
        if (!(error instanceof ApiError && error.isOffline)) throw error
        this.#step({ ...this.state, isWaiting: true })
        await pause(retryMs, signal)
      }
  }

  #step(state: UploadState): void {
    this.state = state
    for (const listener of this.#listeners) listener(state)
  }
}
