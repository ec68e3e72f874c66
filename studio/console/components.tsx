/** The parts that pages consist of. They show text of clients as text only. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Action } from './action.ts'
import { Problem } from './problem.tsx'
import { type Query, refresh } from './queries.ts'

interface PageProps {
  title: string
  actions?: ComponentChildren
  /** Where the page belongs to. */
  parent?: { href: string; text: string } | undefined
  children: ComponentChildren
}

/** Sets the title of the document, and moves the focus to the heading when the page opens. */
export function Page({ title, actions, parent, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Reelsmith`
  }, [title])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header class="page-head">
        <div>
          {parent && (
            <a class="back" href={parent.href}>
              ← {parent.text}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {actions && <div class="row end">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** The prefix that a retry refreshes. */
  name: string
  children: (data: Data) => ComponentChildren
}

/** A skeleton until there is data; a failed refresh keeps what is shown. */
export function Loaded<Data>({ query: { data, error, retryAt }, name, children }: LoadedProps<Data>) {
  const problem = error && <Problem error={error} retryAt={retryAt} onRetry={() => refresh(name)} />
  if (data === undefined) return problem ?? <Skeleton />
  return (
    <>
      {problem}
      {children(data)}
    </>
  )
}

export const Skeleton = () => (
  <div class="skeleton" role="status">
    <span class="hidden">Loading</span>
  </div>
)

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

export type Tone = 'good' | 'busy' | 'bad' | 'warn' | 'plain'
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

export const Progress = ({ value, label }: { value: number; label: string }) => (
  <progress max={100} value={value} aria-label={label} />
)

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'action'> {
  /** The call that a click starts: meanwhile the button cannot be used. */
  isRunning?: boolean
  kind?: 'primary' | 'danger' | undefined
}
export const Button = ({ isRunning = false, kind, children, ...more }: ButtonProps) => (
  <button type="button" class={kind} aria-busy={isRunning} disabled={isRunning} {...more}>
    {children}
  </button>
)

export const ActionProblem = <Input, Result>({ action }: { action: Action<Input, Result> }) =>
  action.error === undefined ? null : <Problem error={action.error} onRetry={action.retry} />

interface FieldProps {
  label: string
  hint?: ComponentChildren
  children: (attributes: { id: string; 'aria-describedby'?: string }) => ComponentChildren
}
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint ? { 'aria-describedby': hintId } : {}) })}
      {hint && (
        <small id={hintId} class="muted">
          {hint}
        </small>
      )}
    </div>
  )
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [value: Value, text: string])[]
  onChange: (value: Value) => void
  hint?: ComponentChildren
}
export const Select = <Value extends string>({ label, value, options, onChange, hint }: SelectProps<Value>) => (
  <Field label={label} hint={hint}>
    {(attributes) => (
      <select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface CheckboxProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}
export const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
)

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}
/** A modal dialog, open while it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps<Result> {
  title: string
  text: string
  verb: string
  action: Action<void, Result>
  onClose: () => void
}
/** Asks before what cannot be undone. */
export const Confirm = <Result,>({ title, text, verb, action, onClose }: ConfirmProps<Result>) => (
  <Dialog title={title} onClose={onClose}>
    <p>{text}</p>
    <ActionProblem action={action} />
    <div class="row end">
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="danger" isRunning={action.isRunning} onClick={() => void action.run()}>
        {verb}
      </Button>
    </div>
  </Dialog>
)

export const Facts = ({
  rows,
}: {
  rows: (readonly [name: string, value: ComponentChildren] | undefined | false)[]
}) => (
  <dl class="facts">
    {rows.map(
      (row) =>
        row && (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ),
    )}
  </dl>
)

/** What is shown once: to be copied. */
export function Secret({ value }: { value: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <div class="secret">
      <code>{value}</code>
      <Button onClick={() => void copyText(value).then(() => setCopied(true))}>{isCopied ? 'Copied' : 'Copy'}</Button>
    </div>
  )
}

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
