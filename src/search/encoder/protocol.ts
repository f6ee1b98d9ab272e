// The messages between the server and the process of the encoder.

export interface EncoderHostOptions {
  /** Processor cores for one text. */
  threads: number
}

export interface HostRequest {
  /** A text with its prefix. */
  text: string
}

/** The model is loaded; the vector of the last text; or why there is none, after which the process ends. */
export type HostMessage = { isReady: true } | { vector: Float32Array } | { failure: string }
