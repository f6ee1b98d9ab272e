import { t } from '../../../texts/index.ts'
import type { Suggestion } from '../../../ui/work/suggestions.ts'
import styles from './compose.module.css'

interface SuggestionsProps {
  id: string
  suggestions: readonly Suggestion[]
  activeIndex: number
  setActiveIndex: (index: number) => void
  accept: (suggestion: Suggestion) => void
}

/** Completions, shown above the text, which keeps the focus. */
export function Suggestions({
  id,
  suggestions,
  activeIndex,
  setActiveIndex,
  accept,
}: SuggestionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t.chat.compose.suggestions}
      className={styles.suggestions}
    >
      {suggestions.map((suggestion, n) => (
        <div
          key={suggestion.key}
          id={`${id}-${n}`}
          role="option"
          aria-selected={n === activeIndex}
          tabIndex={-1}
          className={styles.suggestion}
          onMouseMove={() => setActiveIndex(n)}
          onMouseDown={(event) => {
            event.preventDefault() // the focus stays in the text
            accept(suggestion)
          }}
        >
          {suggestion.icon !== undefined && <span>{suggestion.icon}</span>}
          <span dir="auto">{suggestion.label}</span>
          {suggestion.hint !== undefined && (
            <span className={styles.suggestionHint} dir="auto">
              {suggestion.hint}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}
