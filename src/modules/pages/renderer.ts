import type { Worker } from 'node:worker_threads'
import { startThread } from '../../executable.ts'
import { escaped } from '../../core/html.ts'
import { isNestedDeeply } from './nesting.ts'
import type { Rendered, Rendering } from './rendering.ts'

/** How long one text may take; what takes longer is a text that was made to. In milliseconds. */
const patience = 10_000
/** Longer texts are not rendered: they are shown as they are. */
const mostCharacters = 2_000_000
/** How long the thread is kept for the next one. */
const idle = 30_000

interface Waiting {
  asked: Rendering
  settle: (rendered: Rendered) => void
}

/** The thread that renders, one text after the other. It is started when there is something to render, and ended when it takes too long or idles. */
class Renderer {
  #worker: Worker | undefined
  #queue: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #next = 1

  ask(asked: Omit<Rendering, 'id'>): Promise<Rendered> {
    return new Promise(settle => {
      this.#queue.push({ asked: { ...asked, id: this.#next++ }, settle })
      if (this.#queue.length === 1) this.#begin()
    })
  }

  #begin(): void {
    clearTimeout(this.#timer)
    const first = this.#queue[0]
    if (!first) {
      this.#timer = setTimeout(() => this.#end(), idle).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#timer = setTimeout(() => this.#broken('it takes too long'), patience)
    this.#worker.postMessage(first.asked)
  }

  #start(): Worker {
    const worker = startThread('rendering', import.meta.url, { resourceLimits: { maxOldGenerationSizeMb: 512 } })
    worker.on('message', (rendered: Rendered) => this.#queue[0]?.asked.id === rendered.id && this.#answer(rendered))
    worker.on('error', error => this.#worker === worker && this.#broken(error.message))
    worker.on('exit', () => this.#worker === worker && this.#broken('its thread ended'))
    worker.unref()
    return worker
  }

  #answer(rendered: Rendered): void {
    this.#queue.shift()!.settle(rendered)
    this.#begin()
  }

  #broken(why: string): void {
    this.#end()
    const first = this.#queue[0]
    if (first) this.#answer({ id: first.asked.id, failed: why })
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}

const renderer = new Renderer()
/** Imports do not keep readers of published pages waiting. */
const reader = new Renderer()

/**
 * Sanitized HTML of a Markdown text. Where that cannot be made (too long, nested too deeply, made to take for ever) it is the text as
 * it stands, in <pre>. `anchors`: what stands before the addresses of its headings; `under`: the level of the heading that it stands
 * below, where it is a part of a page. Images become links, unless they are kept: what visitors see loads nothing from others.
 */
export async function htmlOf(markdown: string, anchors = '', under = 0, { keepsImages = false } = {}): Promise<string> {
  const rendered = markdown.length > mostCharacters || isNestedDeeply(markdown) ? undefined : await renderer.ask({ to: 'html', text: markdown, anchors, under, keepsImages })
  return rendered && 'text' in rendered ? rendered.text : `<pre>${escaped(markdown)}</pre>`
}

/** Markdown of an HTML document, or why there is none. */
export async function readHtml(html: string): Promise<{ text: string; title: string | undefined; failed?: undefined } | { failed: string; text?: undefined; title?: undefined }> {
  if (isNestedDeeply(html)) return { failed: 'it is nested too deeply' }
  const rendered = await reader.ask({ to: 'markdown', text: html, anchors: '', under: 0, keepsImages: true })
  return 'failed' in rendered ? { failed: rendered.failed } : { text: rendered.text, title: rendered.title }
}
