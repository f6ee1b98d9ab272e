import { Box } from '@mantine/core'
import type { EditorView } from '@codemirror/view'
import { useContext, useEffect, useId, useRef, useState, type RefObject } from 'react'
import {
  cursorOf,
  describeCode,
  insertName,
  markWrong,
  openCode,
  renderCode,
} from '../../../../editor/code/code-view.ts'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import styles from '../automations.module.css'
import { offered, typedName, useLanguage, type Completion, type TypedWord } from './completion.ts'
import { PlanContext, problemAt, wrongPlace } from './plan-context.ts'

interface CompletedTextProps {
  label: string
  value: string
  change: (value: string) => void
  names: readonly Completion[]
  /** Path in the plan, as refusals name it. */
  path: string
  /** Contains a text with templates, not an expression. */
  isTemplate?: boolean
  isLong?: boolean
  maxLength?: number
  placeholder?: string
  describedBy?: string | undefined
}

/**
 * A field for an expression or a text with templates. Completes names, functions and filters: arrows choose, Enter or
 * Tab accepts; otherwise Tab leaves the field.
 */
export function CompletedText(props: CompletedTextProps) {
  const { isTemplate = false, isLong = false } = props
  const place = useRef<HTMLSpanElement>(null)
  const view = useRef<EditorView>(undefined)
  const ids = { list: useId(), problem: useId() }
  const { isReadOnly } = useContext(PlanContext)
  const problem = useProblem(props)
  const completion = useCompletion(view, props)
  useField(place, view, props, completion)
  const { found, at } = completion
  useEffect(() => {
    if (view.current)
      describeCode(
        view.current,
        attributesOf(props, ids, { problem, completions: found, at, isReadOnly }),
      )
  })
  useEffect(() => {
    if (view.current) markWrong(view.current, problem ? wrongPlace(problem) : undefined)
  }, [problem])
  return (
    <span className={styles.completed}>
      <span
        ref={place}
        className={styles.code}
        data-code={!isTemplate || undefined}
        data-long={isLong || undefined}
        data-wrong={problem !== undefined || undefined}
      />
      <Offers id={ids.list} completions={found} at={at} take={completion.take} />
      {problem !== undefined && (
        <span className={styles.wrong} id={ids.problem} role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}

interface Shown {
  problem: string | undefined
  completions: readonly Completion[]
  at: number
  isReadOnly: boolean
}

function attributesOf(
  { label, isTemplate = false, isLong = false, describedBy }: CompletedTextProps,
  ids: { list: string; problem: string },
  { problem, completions, at, isReadOnly }: Shown,
): Record<string, string> {
  const about = problem === undefined ? describedBy : ids.problem
  return {
    'aria-label': label,
    'aria-multiline': String(isLong || !isTemplate),
    'aria-autocomplete': 'list',
    'aria-controls': ids.list,
    spellcheck: String(isTemplate),
    dir: 'auto',
    ...(completions.length > 0 && { 'aria-activedescendant': `${ids.list}-${at}` }),
    ...(isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }),
    ...(problem !== undefined && { 'aria-invalid': 'true' }),
    ...(about !== undefined && { 'aria-describedby': about }),
  }
}

/** Server's error for the text; cleared when the text changes. */
function useProblem({ value, path }: CompletedTextProps): string | undefined {
  const { problem } = useContext(PlanContext)
  const [about, setAbout] = useState({ problem, value })
  if (about.problem !== problem) setAbout({ problem, value })
  return about.problem === problem && about.value === value ? problemAt(problem, path) : undefined
}

type View = RefObject<EditorView | undefined>
type CompletionState = ReturnType<typeof useCompletion>

/** Creates the field, and keeps its text and the value in sync. */
function useField(
  place: RefObject<HTMLElement | null>,
  view: View,
  props: CompletedTextProps,
  completion: CompletionState,
): void {
  const { isReadOnly } = useContext(PlanContext)
  const latest = useRef({ props, completion })
  const isOwn = useRef(false)
  useEffect(() => {
    latest.current = { props, completion }
  })
  const { isTemplate = false, isLong = false } = props
  useEffect(() => {
    if (!place.current) return
    const { value, maxLength = 20_000, placeholder = '' } = latest.current.props
    const opened = openCode(place.current, {
      text: value,
      isTemplate,
      hasLines: isLong || !isTemplate,
      isReadOnly,
      maxLength,
      placeholder,
      onEdit: (text, cursor, isInText) => {
        isOwn.current = true
        latest.current.props.change(text)
        latest.current.completion.look(text, isInText ? undefined : cursor)
      },
      onMove: () => latest.current.completion.leave(),
      onKey: (key) => latest.current.completion.pressed(key),
      onBlur: () => {
        isOwn.current = false
        latest.current.completion.leave()
        if (view.current) renderCode(view.current, latest.current.props.value)
      },
    })
    view.current = opened
    return () => opened.destroy()
  }, [place, view, isTemplate, isLong, isReadOnly])
  useEffect(() => {
    // a value is shown in its stored form once the field loses the focus
    if (view.current && !isOwn.current) renderCode(view.current, props.value)
    isOwn.current = false
  }, [view, props.value])
}

function useCompletion(view: View, { names, isTemplate = false }: CompletedTextProps) {
  const { functions, filters } = useLanguage()
  const [typed, setTyped] = useState<TypedWord>()
  const [at, setAt] = useState(0)
  const language = { functions: isTemplate ? [] : functions, filters }
  const completions = typed === undefined ? [] : offered(names, typed, language)
  const leave = () => setTyped(undefined)
  const look = (text: string, cursor: number | undefined, isAll = false) => {
    const name = cursor === undefined ? undefined : typedName(text, cursor, isTemplate)
    setTyped(name ?? (isAll ? { text: '' } : undefined))
    setAt(0)
  }
  const take = ({ text }: Completion) => {
    if (!view.current) return
    insertName(view.current, (typed?.text ?? '').length, text)
    leave()
  }
  const pressed = (key: string): boolean => {
    if (key === 'Ctrl-Space' && view.current) {
      const cursor = cursorOf(view.current)
      look(view.current.state.sliceDoc(), cursor.at, true)
      return true
    }
    const chosen = completions[at]
    if (!chosen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) setAt((at + step + completions.length) % completions.length)
    else if (key === 'Escape') leave()
    else take(chosen)
    return true
  }
  return { found: completions, at, look, leave, take, pressed }
}

interface OffersProps {
  id: string
  completions: readonly Completion[]
  at: number
  take: (name: Completion) => void
}

function Offers({ id, completions, at, take }: OffersProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.names}
      className={styles.offers}
      hidden={completions.length === 0}
    >
      {completions.map((name, index) => (
        <Box
          key={name.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onMouseDown={(event) => {
            event.preventDefault() // the field keeps the focus
            take(name)
          }}
        >
          <code>{name.text}</code>
          {name.about && <span>{name.about}</span>}
        </Box>
      ))}
    </div>
  )
}
