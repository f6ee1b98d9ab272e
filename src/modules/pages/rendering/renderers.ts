// The page renderer, which runs in separate processes (renderer.ts).

import { serveTasks } from '../../../sandbox/reader-server.ts'
import { isNestedDeeply } from '../pages/nesting.ts'
import { toHtml } from './conversions.ts'

const tasks = {
  /**
   * To HTML, with heading anchors prefixed by `anchorPrefix`; `parentLevel`: level of the enclosing heading; `keepsImages`:
   * keeps images (an export) instead of showing them as links (for visitors).
   */
  html: ({
    text,
    anchorPrefix,
    parentLevel,
    keepsImages,
  }: {
    text: string
    anchorPrefix: string
    parentLevel: number
    keepsImages: boolean
  }): string => {
    if (isNestedDeeply(text)) throw new RangeError('It is nested too deeply.')
    return toHtml(text, anchorPrefix, parentLevel, keepsImages)
  },
}

export type RenderingTasks = typeof tasks

serveTasks(tasks)
