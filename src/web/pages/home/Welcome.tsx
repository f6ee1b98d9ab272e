import { Stepper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { welcome } from '../../texts/en/settings/welcome.ts'
import { Page } from '../../ui/Page.tsx'
import { Shown } from '../../ui/states.tsx'
import { isUsableKey, useKeys, type Key, type NewKey } from '../keys/keys.ts'
import { useKeptOpen } from '../keys/create/kept-open.ts'
import { AddressStep, ConnectStep, KeyStep, NextStep } from './steps.tsx'

/** From the first sign-in to an assistant's first call. A person who already has a key continues with connecting it. */
export function Welcome() {
  const keys = useKeys('me')
  return (
    <Page title={welcome.title} about={welcome.about}>
      <Shown query={keys}>{(all) => <Steps latest={all.find(isUsableKey)} />}</Shown>
    </Page>
  )
}

/** Steps by position. */
const at = { address: 0, key: 1, connect: 2, next: 3 }

function Steps({ latest }: { latest: Key | undefined }) {
  const [step, setStep] = useState(latest ? at.connect : at.address)
  const [made, setMade] = useState<NewKey>()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const { steps } = welcome
  const labelOf = (name: keyof typeof at) =>
    isNarrow && step !== at[name]
      ? { 'aria-label': `${at[name] + 1} ${steps[name]}` }
      : { label: steps[name] } // narrow screens have room for one label
  useKeptOpen(made !== undefined && step === at.connect)
  return (
    <Stepper
      active={step}
      onStepClick={setStep}
      allowNextStepsSelect={false}
      size={isNarrow ? 'xs' : 'sm'}
      wrap={false}
    >
      <Stepper.Step {...labelOf('address')}>
        <AddressStep done={() => setStep(latest ? at.connect : at.key)} />
      </Stepper.Step>
      <Stepper.Step {...labelOf('key')}>
        <KeyStep made={(key) => (setMade(key), setStep(at.connect))} />
      </Stepper.Step>
      <Stepper.Step {...labelOf('connect')}>
        <ConnectStep
          newKey={made}
          latest={latest}
          another={() => setStep(at.key)}
          done={() => setStep(at.next)}
        />
      </Stepper.Step>
      <Stepper.Step {...labelOf('next')}>
        <NextStep />
      </Stepper.Step>
    </Stepper>
  )
}
