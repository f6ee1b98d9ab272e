// Google's libraries, for who loads them when they are first needed: they are CommonJS, whose names a bundle does not know in an
// import at run time.

export { drive } from '@googleapis/drive'
export { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
