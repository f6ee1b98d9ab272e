// The thread that renders pages, in processes of its own (renderer.ts).

import { serveTasks } from '../../../sandbox/reader-server.ts'
import { isNestedDeeply } from '../pages/nesting.ts'
import { toHtml } from './conversions.ts'

const tasks = {
  /**
   * To HTML for a place where addresses of headings get `anchors` before them; `under`: the level of the heading that it stands below;
   * `keepsImages`: images stay (an export), and are not shown as links (what visitors see).
   */
  html: ({
    text,
    anchors,
    under,
    keepsImages,
  }: {
    text: string
    anchors: string
    under: number
    keepsImages: boolean
  }): string => {
    if (isNestedDeeply(text)) throw new RangeError('It is nested too deeply.')
    return toHtml(text, anchors, under, keepsImages)
  },
}

export type RenderingTasks = typeof tasks

serveTasks(tasks)
