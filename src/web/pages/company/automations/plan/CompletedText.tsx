import { Box } from '@mantine/core'
import type { EditorView } from '@codemirror/view'
import { useContext, useEffect, useId, useRef, useState, type RefObject } from 'react'
import {
  cursorOf,
  describeCode,
  insertName,
  markError,
  openCode,
  setCode,
} from '../../../../editor/code/code-view.ts'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import styles from '../automations.module.css'
import {
  findCompletions,
  typedWordAt,
  useLanguage,
  type Completion,
  type TypedWord,
} from './completion.ts'
import { PlanContext, problemAt, errorPosition } from './plan-context.ts'

interface ExpressionFieldProps {
  label: string
  value: string
  change: (value: string) => void
  names: readonly Completion[]
  /** Path in the plan, as errors name it. */
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
export function ExpressionField(props: ExpressionFieldProps) {
  const { isTemplate = false, isLong = false } = props
  const container = useRef<HTMLSpanElement>(null)
  const view = useRef<EditorView>(undefined)
  const ids = { list: useId(), problem: useId() }
  const { isReadOnly } = useContext(PlanContext)
  const problem = useProblem(props)
  const completion = useCompletion(view, props)
  useField(container, view, props, completion)
  const { completions, at: activeIndex } = completion
  useEffect(() => {
    if (view.current)
      describeCode(
        view.current,
        attributesOf(props, ids, { problem, completions, activeIndex, isReadOnly }),
      )
  })
  useEffect(() => {
    if (view.current) markError(view.current, problem ? errorPosition(problem) : undefined)
  }, [problem])
  return (
    <span className={styles.completed}>
      <span
        ref={container}
        className={styles.code}
        data-code={!isTemplate || undefined}
        data-long={isLong || undefined}
        data-wrong={problem !== undefined || undefined}
      />
      <CompletionList
        id={ids.list}
        completions={completions}
        activeIndex={activeIndex}
        take={completion.take}
      />
      {problem !== undefined && (
        <span className={styles.wrong} id={ids.problem} role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}

interface FieldState {
  problem: string | undefined
  completions: readonly Completion[]
  activeIndex: number
  isReadOnly: boolean
}

function attributesOf(
  { label, isTemplate = false, isLong = false, describedBy }: ExpressionFieldProps,
  ids: { list: string; problem: string },
  { problem, completions, activeIndex, isReadOnly }: FieldState,
): Record<string, string> {
  const about = problem === undefined ? describedBy : ids.problem
  return {
    'aria-label': label,
    'aria-multiline': String(isLong || !isTemplate),
    'aria-autocomplete': 'list',
    'aria-controls': ids.list,
    spellcheck: String(isTemplate),
    dir: 'auto',
    ...(completions.length > 0 && { 'aria-activedescendant': `${ids.list}-${activeIndex}` }),
    ...(isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }),
    ...(problem !== undefined && { 'aria-invalid': 'true' }),
    ...(about !== undefined && { 'aria-describedby': about }),
  }
}

/** Server's error for the text; cleared when the text changes. */
function useProblem({ value, path }: ExpressionFieldProps): string | undefined {
  const { problem } = useContext(PlanContext)
  const [shownFor, setShownFor] = useState({ problem, value })
  if (shownFor.problem !== problem) setShownFor({ problem, value })
  return shownFor.problem === problem && shownFor.value === value
    ? problemAt(problem, path)
    : undefined
}

type ViewRef = RefObject<EditorView | undefined>
type CompletionState = ReturnType<typeof useCompletion>

/** Creates the field, and keeps its text and the value in sync. */
function useField(
  container: RefObject<HTMLElement | null>,
  view: ViewRef,
  props: ExpressionFieldProps,
  completion: CompletionState,
): void {
  const { isReadOnly } = useContext(PlanContext)
  const latest = useRef({ props, completion })
  const isOwnEdit = useRef(false)
  useEffect(() => {
    latest.current = { props, completion }
  })
  const { isTemplate = false, isLong = false } = props
  useEffect(() => {
    if (!container.current) return
    const { value, maxLength = 20_000, placeholder = '' } = latest.current.props
    const editorView = openCode(container.current, {
      text: value,
      isTemplate,
      hasLines: isLong || !isTemplate,
      isReadOnly,
      maxLength,
      placeholder,
      onEdit: (text, cursor, isInText) => {
        isOwnEdit.current = true
        latest.current.props.change(text)
        latest.current.completion.look(text, isInText ? undefined : cursor)
      },
      onMove: () => latest.current.completion.leave(),
      onKey: (key) => latest.current.completion.pressed(key),
      onBlur: () => {
        isOwnEdit.current = false
        latest.current.completion.leave()
        if (view.current) setCode(view.current, latest.current.props.value)
      },
    })
    view.current = editorView
    return () => editorView.destroy()
  }, [container, view, isTemplate, isLong, isReadOnly])
  useEffect(() => {
    // a value is shown in its stored form once the field loses the focus
    if (view.current && !isOwnEdit.current) setCode(view.current, props.value)
    isOwnEdit.current = false
  }, [view, props.value])
}

function useCompletion(view: ViewRef, { names, isTemplate = false }: ExpressionFieldProps) {
  const { functions, filters } = useLanguage()
  const [typedWord, setTypedWord] = useState<TypedWord>()
  const [activeIndex, setActiveIndex] = useState(0)
  const language = { functions: isTemplate ? [] : functions, filters }
  const completions = typedWord === undefined ? [] : findCompletions(names, typedWord, language)
  const leave = () => setTypedWord(undefined)
  const detect = (text: string, cursor: number | undefined, isAll = false) => {
    const name = cursor === undefined ? undefined : typedWordAt(text, cursor, isTemplate)
    setTypedWord(name ?? (isAll ? { text: '' } : undefined))
    setActiveIndex(0)
  }
  const accept = ({ text }: Completion) => {
    if (!view.current) return
    insertName(view.current, (typedWord?.text ?? '').length, text)
    leave()
  }
  const handleKey = (key: string): boolean => {
    if (key === 'Ctrl-Space' && view.current) {
      const cursor = cursorOf(view.current)
      detect(view.current.state.sliceDoc(), cursor.position, true)
      return true
    }
    const chosen = completions[activeIndex]
    if (!chosen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined)
      setActiveIndex((activeIndex + step + completions.length) % completions.length)
    else if (key === 'Escape') leave()
    else accept(chosen)
    return true
  }
  return { completions, at: activeIndex, look: detect, leave, take: accept, pressed: handleKey }
}

interface CompletionListProps {
  id: string
  completions: readonly Completion[]
  activeIndex: number
  take: (name: Completion) => void
}

function CompletionList({ id, completions, activeIndex, take }: CompletionListProps) {
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
          aria-selected={index === activeIndex}
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
