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

const texts = wiki.format

const tools: readonly { label: string; icon: Icon; command: Command }[] = [
  { label: texts.bold, icon: IconBold, command: toggleAround('**') },
  { label: texts.italic, icon: IconItalic, command: toggleAround('*') },
  { label: texts.code, icon: IconCode, command: toggleAround('`') },
  { label: texts.heading, icon: IconHeading, command: toggleHeading(2) },
  { label: texts.list, icon: IconList, command: toggleList },
  { label: texts.numbers, icon: IconListNumbers, command: toggleNumbers },
  { label: texts.tasks, icon: IconListCheck, command: toggleTasks },
  { label: texts.quote, icon: IconBlockquote, command: toggleQuote },
  { label: texts.link, icon: IconLink, command: insertLink },
]

/** Buttons for the editor's keyboard commands. The focus stays in the text. */
export function Toolbar({ run }: { run: (command: Command) => void }) {
  return (
    <fieldset className={styles.tools} aria-label={texts.title}>
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
