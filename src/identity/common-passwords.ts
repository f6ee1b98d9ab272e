// The most common leaked passwords. The first set has those long enough to be chosen here; the second has words that
// people pad with digits and signs until a form accepts them.

const parseWordSet = (text: string) => new Set(text.trim().split(/\s+/))

export const commonPasswords = parseWordSet(`
  123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 123456789101 1234567891011 0123456789012
  098765432109 987654321098 111111111111 000000000000 121212121212 123123123123 123412341234 112233445566 102030405060 147258369147
  147258369000 159753159753 135792468000 246813579000 314159265358 314159265359 271828182845 696969696969 password1234 password12345
  password123456 1234password passw0rd1234 p@ssw0rd1234 p@ssword1234 passwordpassword password!@#$ mypassword123 mypassword1234
  yourpassword thisismypassword mypasswordis notapassword nopassword123 newpassword123 changeme1234 changemeplease changeit1234
  letmein12345 letmeinplease letmeinletmein pleaseletmein welcome12345 welcomewelcome welcome2026! welcome20262026 qwertyuiop12
  qwertyuiop123 qwertyuiop1234 qwertyuiopasdf qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwerty123456 qwerty1234567 qwerty12345678
  qwertyqwerty qwertyasdfgh qwertyuiop[] qwertzuiop12 qwertzuiopue azertyuiop12 azertyuiop123 azertyazerty azerty123456 asdfghjkl123
  asdfghjkl1234 asdfghjklzxcvbnm asdfasdfasdf asdf1234asdf asdfjklasdfjkl zxcvbnm12345 zxcvbnmasdfgh zxcvbnm,./123 1q2w3e4r5t6y
  1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc zaq12wsxcde3 zaq1xsw2cde3 qazwsxedcrfv
  qazwsxedc123 q1w2e3r4t5y6 q1w2e3r4t5y6u7i8 qweasdzxc123 qweasd123456 qwe123qwe123 abc123abc123 abcd1234abcd abcd12345678 abcdef123456
  abcdefg12345 abcdefghijkl abcdefghijklm abcdefghijklmnop abcdefghijklmnopqrstuvwxyz a1b2c3d4e5f6 aa123456789a a12345678901 aaaa11112222
  administrator administrator1 administrator123 adminadmin123 adminadminadmin admin1234567 admin12345678 admin123456789 superadmin123
  rootrootroot rootroot1234 rootpassword systemadmin1 sysadmin1234 operator1234 supervisor123 webmaster123 postmaster123 hostmaster123
  testtesttest test12345678 test123456789 testing12345 testpassword testuser1234 defaultpassword default12345 temporary123 temppassword
  temp12345678 guestguest12 guest1234567 user12345678 username1234 usernamepassword demodemodemo demo12345678 samplepassword secret123456
  secretsecret topsecret123 supersecret1 supersecret123 mysecretpassword iloveyou1234 iloveyouiloveyou iloveyouforever iloveyousomuch
  ilovemyfamily ilovemymother ilovejesus12 jesuschrist1 jesusislord1 godisgreat12 blessed12345 princess1234 princessprincess sunshine1234
  sunshine12345 football1234 football12345 baseball1234 basketball12 basketball123 liverpoolfc1 manchesterunited manchester12 chelseafc123
  realmadrid12 barcelona123 juventus1234 superman1234 batman123456 spiderman123 starwars1234 pokemon12345 dragonball12 dragonballz1
  michaeljordan christopher1 alexander123 elizabeth123 charlotte123 butterfly123 chocolate123 strawberry12 computer1234 computer12345
  internet1234 microsoft123 windows12345 samsung12345 facebook1234 google123456 linkedin1234 instagram123 whatever1234 trustno1trustno1
  correcthorsebatterystaple workspace123 workspace1234 myworkspace1 hunter2hunter2 monkey123456 master123456
`)

export const commonWords = parseWordSet(`
  password passwort passwd passw passwrd pass pwd motdepasse contrasena senha parola wachtwoord haslo secret geheim letmein welcome willkommen
  bienvenue changeme change me my admin administrator root user username login guest test testing demo sample default temp temporary
  qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qaz wsx edc abc abcd abcde abcdef abcdefg abcdefgh iloveyou love
  princess sunshine football baseball basketball soccer hockey dragon monkey master superman batman pokemon starwars shadow michael
  jordan hunter freedom whatever trustno computer internet company office workspace server winter spring summer autumn fall monday
  tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
`)
