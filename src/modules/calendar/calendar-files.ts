// The thread that reads calendar files (file-thread.ts): one file, then it ends.

import { parentPort, workerData } from 'node:worker_threads'
import { readFile, type FileQuestion } from './file-reading.ts'

parentPort?.postMessage(readFile(workerData as FileQuestion))
