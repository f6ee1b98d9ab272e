import { Stepper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { welcome } from '../../texts/en/settings/welcome.ts'
import { Page } from '../../ui/Page.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { isUsableKey, useKeys, type Key, type NewKey } from '../keys/keys.ts'
import { useLeaveConfirmation } from '../keys/create/kept-open.ts'
import { AddressStep, ConnectStep, KeyStep, NextStep } from './steps.tsx'

/** From the first sign-in to an assistant's first call. A person who already has a key continues with connecting it. */
export function Welcome() {
  const keys = useKeys('me')
  return (
    <Page title={welcome.title} description={welcome.about}>
      <QueryContent query={keys}>
        {(all) => <Steps latestKey={all.find(isUsableKey)} />}
      </QueryContent>
    </Page>
  )
}

/** Steps by position. */
const stepIndex = { address: 0, key: 1, connect: 2, next: 3 }

function Steps({ latestKey }: { latestKey: Key | undefined }) {
  const [step, setStep] = useState(latestKey ? stepIndex.connect : stepIndex.address)
  const [newKey, setNewKey] = useState<NewKey>()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const { steps } = welcome
  const labelOf = (name: keyof typeof stepIndex) =>
    isNarrow && step !== stepIndex[name]
      ? { 'aria-label': `${stepIndex[name] + 1} ${steps[name]}` }
      : { label: steps[name] } // narrow screens have room for one label
  useLeaveConfirmation(newKey !== undefined && step === stepIndex.connect)
  return (
    <Stepper
      active={step}
      onStepClick={setStep}
      allowNextStepsSelect={false}
      size={isNarrow ? 'xs' : 'sm'}
      wrap={false}
    >
      <Stepper.Step {...labelOf('address')}>
        <AddressStep onDone={() => setStep(latestKey ? stepIndex.connect : stepIndex.key)} />
      </Stepper.Step>
      <Stepper.Step {...labelOf('key')}>
        <KeyStep onCreated={(key) => (setNewKey(key), setStep(stepIndex.connect))} />
      </Stepper.Step>
      <Stepper.Step {...labelOf('connect')}>
        <ConnectStep
          newKey={newKey}
          latest={latestKey}
          createAnother={() => setStep(stepIndex.key)}
          onDone={() => setStep(stepIndex.next)}
        />
      </Stepper.Step>
      <Stepper.Step {...labelOf('next')}>
        <NextStep />
      </Stepper.Step>
    </Stepper>
  )
}
