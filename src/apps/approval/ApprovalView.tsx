import { describeMoment } from '../shared/dates.ts'
import type { Host } from '../shared/host.ts'
import { Announcement, PlainText, ProblemNotice } from '../shared/notices.tsx'
import type { ApprovalModel, WaitingCall } from './approval.ts'
import type { OutgoingPreview } from './messages.ts'

interface ApprovalProps {
  approval: ApprovalModel
  host: Host
}

export function ApprovalView({ approval, host }: ApprovalProps) {
  const { call, preview, problem, previewProblem, announcement } = approval.state
  return (
    <div class="stack" aria-busy={!call && !problem}>
      {!call && <h1>Approval</h1>}
      {call && <Heading call={call} />}
      <ProblemNotice problem={problem} />
      <Announcement text={announcement} />
      {!call && !problem && <p class="muted">Loading…</p>}
      {preview && <Preview preview={preview} />}
      {previewProblem && (
        <div class="notice warning">
          <p>
            These are the arguments of the call; a preview of what would be sent could not be
            prepared.
          </p>
          <p class="small" dir="auto">
            {previewProblem.message}
          </p>
        </div>
      )}
      {call && <Decision call={call} approval={approval} host={host} />}
    </div>
  )
}

const states: Readonly<Record<string, [text: string, tone: string]>> = {
  pending: ['Waiting', 'warning'],
  released: ['Approved', 'success'],
  denied: ['Denied', 'danger'],
  expired: ['Expired', 'muted'],
}

function Heading({ call: { title, status } }: { call: WaitingCall }) {
  const [text, tone] = states[status] ?? [status, 'muted']
  return (
    <div class="row between">
      <h1>{title}</h1>
      <span class={`badge ${tone}`}>{text}</span>
    </div>
  )
}

/** Verbatim: rendered Markdown would hide comments and link addresses. */
function Preview({ preview: { lines, body, quoted, warnings } }: { preview: OutgoingPreview }) {
  return (
    <>
      <dl class="lines">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {warnings.length > 0 && (
        <ul class="notice warning">
          {warnings.map((warning) => (
            <li key={warning} dir="auto">
              {warning}
            </li>
          ))}
        </ul>
      )}
      {(body || quoted) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keyboard
        <section class="message" aria-label="Text that goes out" tabIndex={0}>
          {body && <PlainText text={body} />}
          {quoted && <PlainText text={quoted} isFromOutside />}
        </section>
      )}
    </>
  )
}

function Decision({ call, approval, host }: ApprovalProps & { call: WaitingCall }) {
  const { status, waitsFor, expiresAt, decidedAt, reason, url } = call
  const when = (moment: string | undefined) => describeMoment(moment, host.context)
  if (status === 'pending')
    return (
      <div class="stack">
        <p>
          Nothing has gone out. {waitsFor} decides in Workspace, until {when(expiresAt)}.
        </p>
        <div class="row">
          {host.canOpenLinks ? (
            <button type="button" class="primary" onClick={() => approval.open()}>
              Review in Workspace
            </button>
          ) : (
            <p class="small">{url}</p>
          )}
          {host.canCall && (
            <button type="button" onClick={() => approval.refresh()}>
              Check again
            </button>
          )}
        </div>
      </div>
    )
  if (status === 'released')
    return (
      <p class="notice success">
        {waitsFor} approved it, and the call was made: {when(decidedAt)}.
      </p>
    )
  if (status === 'denied')
    return (
      <div class="notice danger">
        <p>
          {waitsFor} denied it: {when(decidedAt)}. Nothing has gone out.
        </p>
        {reason && <p dir="auto">Reason: {reason}</p>}
      </div>
    )
  return <p class="notice">No one decided in time. Nothing has gone out.</p>
}
