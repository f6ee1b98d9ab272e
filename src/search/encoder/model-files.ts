import { assetsIn, loadableFile, readerOf } from '../../db/assets.ts'
import type { ModelFiles } from './encoder.ts'

/** The files of the model in their folder. @throws Error if one is missing */
export function modelFiles(): ModelFiles {
  const files = assetsIn('encoder/')
  return {
    vocabulary: files.read('vocabulary.tsv'),
    layers: loadableFile('encoder/', 'layers.int8.onnx'),
    positions: files.read('positions.f32'),
    mean: files.read('mean.f32'),
    readRow: readerOf('encoder/', 'words.q4'),
  }
}
