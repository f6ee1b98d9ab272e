const secondsFormat = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'long',
})
const minutesFormat = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'minute',
  unitDisplay: 'long',
})

/** A waiting time in seconds or minutes. */
const waitText = (seconds: number) =>
  seconds < 120 ? secondsFormat.format(seconds) : minutesFormat.format(Math.ceil(seconds / 60))

export const enter = {
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 12 characters. Four unrelated words are easy to remember.',
  signIn: {
    title: 'Sign in',
    action: 'Sign in',
    ended: 'You were signed out. Sign in again to go on where you were.',
    passkey: 'Sign in with a passkey',
    or: 'or',
    left: (name: string) => `You are signed out here, but still signed in at ${name}.`,
    leave: (name: string) => `Sign out at ${name}`,
    byDomain: 'Enter your email address to sign in at your identity provider.',
    provider: (name: string) => `Sign in with ${name}`,
    linkTo: (name: string) =>
      `There is an account with your email address already. Sign in to it once: then it is connected with ${name}.`,
    thisProvider: 'the provider',
    wait: (seconds: number) => `Too many attempts. Try again in ${waitText(seconds)}.`,
    help: 'Forgot your password? An administrator can send you a link to set a new one.',
  },
  invite: {
    title: (organization: string) => `Join ${organization}`,
    unknown: 'Invitation',
    by: (inviter: string) => `${inviter} invites you to work here.`,
    role: {
      admin: 'You will be an administrator.',
      member: 'You will be a member.',
      guest: 'You will be a guest: you see what is shared with you.',
    },
    name: 'Your name',
    emailFixed: 'The invitation is for this address.',
    action: 'Join',
    expires: (date: string) => `This link works once, until ${date}.`,
    already: (name: string) =>
      `You are signed in as ${name}. Accepting signs you in as the new person in this browser.`,
    toSignIn: 'Go to the sign-in',
  },
  reset: {
    title: 'Set a new password',
    about: 'This signs out all sessions that used the old one.',
    action: 'Set the password',
    done: 'Your new password is set.',
    toSignIn: 'Sign in',
  },
}
