import type { Command } from '@codemirror/view'
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListCheck,
  IconListNumbers,
  type Icon,
} from '@tabler/icons-react'
import { wiki } from '../texts/en/wiki.ts'
import styles from './editor.module.css'
import {
  insertLink,
  toggleAround,
  toggleHeading,
  toggleList,
  toggleNumbers,
  toggleQuote,
  toggleTasks,
} from './format.ts'

const words = wiki.format

const tools: readonly { label: string; icon: Icon; command: Command }[] = [
  { label: words.bold, icon: IconBold, command: toggleAround('**') },
  { label: words.italic, icon: IconItalic, command: toggleAround('*') },
  { label: words.code, icon: IconCode, command: toggleAround('`') },
  { label: words.heading, icon: IconHeading, command: toggleHeading(2) },
  { label: words.list, icon: IconList, command: toggleList },
  { label: words.numbers, icon: IconListNumbers, command: toggleNumbers },
  { label: words.tasks, icon: IconListCheck, command: toggleTasks },
  { label: words.quote, icon: IconBlockquote, command: toggleQuote },
  { label: words.link, icon: IconLink, command: insertLink },
]

/** Buttons for the editor's keyboard commands. The focus stays in the text. */
export function Toolbar({ run }: { run: (command: Command) => void }) {
  return (
    <fieldset className={styles.tools} aria-label={words.title}>
      {tools.map((tool) => (
        <button
          key={tool.label}
          type="button"
          className={styles.tool}
          aria-label={tool.label}
          title={tool.label}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(tool.command)}
        >
          <tool.icon size={16} aria-hidden />
        </button>
      ))}
    </fieldset>
  )
}
