;; Scans JSON in UTF-8, 16 bytes at a time. The same as `endOfValue`, `memberOf` and the scan of `JsonFrames` in
;; TypeScript, which take over where this gives up; docs/adr/0034-json-scan.md says why there are two.
;; `npm run generate` writes json-scan-module.ts from this file.
;;
;; Memory: the name of a member from 0 on, the state of a frame at 240 (its depth) and 244 (0 outside of strings, 1 in a
;; string, 2 in a string after a backslash), JSON from 8448 on. What is behind the JSON may be read, but not used.
;;
;; A table of members is from 256 on, with its length at 248. `endOfValue` adds the members of the object that it scans, `member`
;; finds them there without another scan. Each has four numbers: where the object begins, where the text of the key begins, where
;; that ends, -1 for a text with escapes, and where the value begins, perhaps with white space.
(module
  (memory (export "memory") 5)

  ;; Returns the position after the value at $at: -1 if there is none before $limit, -2 if it is nested too deep.
  ;; The byte at $limit is 0 during the scan. No value continues with it, so that nothing looks for the limit.
  (func (export "endOfValue") (param $at i32) (param $limit i32) (result i32)
    (local $behind i32)
    (local $end i32)
    (local.set $behind (i32.load8_u (local.get $limit)))
    (i32.store8 (local.get $limit) (i32.const 0))
    (local.set $end (call $value (local.get $at) (i32.const 1)))
    (i32.store8 (local.get $limit) (local.get $behind))
    (local.get $end)
  )

  ;; Returns where the value of a member of the object at $at begins, of the last one if there are several: -1 if there is
  ;; none, -2 if a key has an escape or a value is nested too deep. The JSON is known to be valid, and $length bytes
  ;; from 0 on are the name.
  (func (export "member") (param $at i32) (param $length i32) (result i32)
    (local $found i32)
    (local $key i32)
    (local $isName i32)
    (local $stops i32)
    (local.set $found (call $notedMember (local.get $at) (local.get $length)))
    (if (i32.ne (local.get $found) (i32.const -3)) (then (return (local.get $found))))
    (local.set $found (i32.const -1))
    (loop $members
      ;; The brace of the object, or the comma behind the last member.
      (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x7d)) ;; }
        (then (return (local.get $found))))
      (local.set $key (i32.add (local.get $at) (i32.const 1)))
      (local.set $at (local.get $key))
      (loop $text
        (local.set $stops (call $stopsOf (v128.load (local.get $at))))
        (if (i32.eqz (local.get $stops))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $text))))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $stops))))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) ;; "
        (then (return (i32.const -2))))
      (local.set $isName
        (if (result i32) (i32.eq (i32.sub (local.get $at) (local.get $key)) (local.get $length))
          (then (call $isNameAt (local.get $key) (local.get $length)))
          (else (i32.const 0))))
      ;; The colon.
      (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
      (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
      (if (local.get $isName) (then (local.set $found (local.get $at))))
      (local.set $at (call $value (local.get $at) (i32.const 0)))
      (if (i32.lt_s (local.get $at) (i32.const 0)) (then (return (i32.const -2))))
      (local.set $at (call $skipSpace (local.get $at)))
      (br_if $members (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2c))) ;; ,
    )
    (local.get $found)
  )

  ;; Returns the position after a frame that continues at $at, or $limit if it does not end before that. Only brackets
  ;; and strings count. Reads and writes the state of the frame.
  (func (export "endOfFrame") (param $at i32) (param $limit i32) (result i32)
    (local $depth i32)
    (local $state i32)
    (local $byte i32)
    (local $stops i32)
    (local $bytes v128)
    (local.set $depth (i32.load (i32.const 240)))
    (local.set $state (i32.load (i32.const 244)))
    (block $isOver
      (loop $next
        (br_if $isOver (i32.ge_u (local.get $at) (local.get $limit)))
        (if (i32.eq (local.get $state) (i32.const 2))
          (then
            (local.set $state (i32.const 1))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $next)))
        (local.set $bytes (v128.load (local.get $at)))
        (local.set $stops
          (if (result i32) (local.get $state)
            (then (call $stopsOf (local.get $bytes)))
            (else (call $bracketsOf (local.get $bytes)))))
        (if (i32.eqz (local.get $stops))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $next)))
        (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $stops))))
        (br_if $isOver (i32.ge_u (local.get $at) (local.get $limit)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.eq (local.get $byte) (i32.const 0x22)) ;; "
          (then
            (local.set $state (i32.eqz (local.get $state)))
            (br $next)))
        (if (local.get $state)
          (then
            (if (i32.eq (local.get $byte) (i32.const 0x5c)) ;; \
              (then (local.set $state (i32.const 2))))
            (br $next)))
        ;; The second bit distinguishes opening and closing brackets.
        (if (i32.and (local.get $byte) (i32.const 2))
          (then
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (br $next)))
        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
        (br_if $next (local.get $depth))))
    (i32.store (i32.const 240) (local.get $depth))
    (i32.store (i32.const 244) (local.get $state))
    (select
      (local.get $at)
      (local.get $limit)
      (i32.lt_u (local.get $at) (local.get $limit)))
  )

  ;; Returns the position after the value at $at, -1 or -2 as `endOfValue`. Members that are $noted levels deep are added to the
  ;; table, which are those of the value itself with 1, and none with 0.
  (func $value (param $at i32) (param $noted i32) (result i32)
    ;; Where the object around the noted members begins, and where the last string begins and ends.
    (local $object i32)
    (local $text i32)
    (local $textEnd i32)
    (local $hasEscapes i32)
    (local $byte i32)
    (local $stops i32)
    ;; The closing byte of the innermost object or list, 0 outside of them, and one bit for each that encloses it: 1 for
    ;; an object.
    (local $close i32)
    (local $around i64)
    (local $depth i32)
    (local $isKeyNext i32)
    ;; Each round reads one value, or one key with its colon.
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.le_u (local.get $byte) (i32.const 0x20))
        (then
          (local.set $at (call $skipSpace (local.get $at)))
          (local.set $byte (i32.load8_u (local.get $at)))))
      (block $isRead
        (if (i32.eq (local.get $byte) (i32.const 0x22)) ;; "
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $text (local.get $at))
            (local.set $hasEscapes (i32.const 0))
            (loop $text
              (local.set $stops (call $stopsOf (v128.load (local.get $at))))
              (if (i32.eqz (local.get $stops))
                (then
                  (local.set $at (i32.add (local.get $at) (i32.const 16)))
                  (br $text)))
              (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $stops))))
              (local.set $byte (i32.load8_u (local.get $at)))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (if (i32.ne (local.get $byte) (i32.const 0x22))
                (then
                  (if (i32.ne (local.get $byte) (i32.const 0x5c)) (then (return (i32.const -1)))) ;; \
                  (local.set $at (call $skipEscape (local.get $at)))
                  (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))
                  (local.set $hasEscapes (i32.const 1))
                  (br $text))))
            (br_if $isRead (i32.eqz (local.get $isKeyNext)))
            (local.set $textEnd (i32.sub (local.get $at) (i32.const 1)))
            (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) ;; :
              (then
                (local.set $at (call $skipSpace (local.get $at)))
                (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a))
                  (then (return (i32.const -1))))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $isKeyNext (i32.const 0))
            (if (i32.eq (local.get $depth) (local.get $noted))
              (then
                (call $note
                  (local.get $object)
                  (local.get $text)
                  (select (i32.const -1) (local.get $textEnd) (local.get $hasEscapes))
                  (local.get $at))))
            (br $next)))
        (if (local.get $isKeyNext) (then (return (i32.const -1))))
        (if (i32.eq (i32.and (local.get $byte) (i32.const 0xdf)) (i32.const 0x5b)) ;; [ or {
          (then
            (if (i32.eq (local.get $depth) (i32.const 64)) (then (return (i32.const -2))))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (if (i32.eq (local.get $depth) (local.get $noted))
              (then (local.set $object (local.get $at))))
            (local.set $around
              (i64.or
                (i64.shl (local.get $around) (i64.const 1))
                (i64.extend_i32_u (i32.eq (local.get $close) (i32.const 0x7d)))))
            (local.set $close (i32.add (local.get $byte) (i32.const 2)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $byte (i32.load8_u (local.get $at)))
            (if (i32.le_u (local.get $byte) (i32.const 0x20))
              (then
                (local.set $at (call $skipSpace (local.get $at)))
                (local.set $byte (i32.load8_u (local.get $at)))))
            ;; Empty: it is closed below.
            (br_if $isRead (i32.eq (local.get $byte) (local.get $close)))
            (local.set $isKeyNext (i32.eq (local.get $close) (i32.const 0x7d)))
            (br $next)))
        (local.set $at (call $skipWord (local.get $at)))
        (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1)))))
      ;; After a value: closes what ends here, and continues with the next member or item.
      (loop $closing
        (if (i32.eqz (local.get $depth)) (then (return (local.get $at))))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.le_u (local.get $byte) (i32.const 0x20))
          (then
            (local.set $at (call $skipSpace (local.get $at)))
            (local.set $byte (i32.load8_u (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.eq (local.get $byte) (i32.const 0x2c)) ;; ,
          (then
            (local.set $isKeyNext (i32.eq (local.get $close) (i32.const 0x7d)))
            (br $next)))
        (if (i32.ne (local.get $byte) (local.get $close)) (then (return (i32.const -1))))
        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
        (local.set $close
          (select
            (i32.const 0x7d)
            (i32.const 0x5d)
            (i32.wrap_i64 (i64.and (local.get $around) (i64.const 1)))))
        (local.set $around (i64.shr_u (local.get $around) (i64.const 1)))
        (br $closing)))
    (unreachable)
  )

  ;; Adds a member to the table. If that is full, it is not used until the next load: its length is -1.
  (func $note (param $object i32) (param $key i32) (param $keyEnd i32) (param $value i32)
    (local $length i32)
    (local $entry i32)
    (local.set $length (i32.load (i32.const 248)))
    (if (i32.lt_s (local.get $length) (i32.const 0)) (then (return)))
    (if (i32.eq (local.get $length) (i32.const 512))
      (then
        (i32.store (i32.const 248) (i32.const -1))
        (return)))
    (local.set $entry (i32.shl (local.get $length) (i32.const 4)))
    (i32.store offset=256 (local.get $entry) (local.get $object))
    (i32.store offset=260 (local.get $entry) (local.get $key))
    (i32.store offset=264 (local.get $entry) (local.get $keyEnd))
    (i32.store offset=268 (local.get $entry) (local.get $value))
    (i32.store (i32.const 248) (i32.add (local.get $length) (i32.const 1)))
  )

  ;; As `member`, for an object whose members are in the table: -3 for any other.
  (func $notedMember (param $object i32) (param $length i32) (result i32)
    (local $entry i32)
    (local $end i32)
    (local $key i32)
    (local $keyEnd i32)
    (local $found i32)
    (local.set $found (i32.const -3))
    (local.set $end (i32.shl (i32.load (i32.const 248)) (i32.const 4)))
    (loop $next
      (if (i32.ge_s (local.get $entry) (local.get $end)) (then (return (local.get $found))))
      (if (i32.eq (i32.load offset=256 (local.get $entry)) (local.get $object))
        (then
          (if (i32.eq (local.get $found) (i32.const -3)) (then (local.set $found (i32.const -1))))
          (local.set $key (i32.load offset=260 (local.get $entry)))
          (local.set $keyEnd (i32.load offset=264 (local.get $entry)))
          (if (i32.eq (local.get $keyEnd) (i32.const -1)) (then (return (i32.const -2))))
          (if (i32.eq (i32.sub (local.get $keyEnd) (local.get $key)) (local.get $length))
            (then
              (if (call $isNameAt (local.get $key) (local.get $length))
                (then
                  (local.set $found
                    (call $skipSpace (i32.load offset=268 (local.get $entry))))))))))
      (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
      (br $next))
    (unreachable)
  )

  ;; Returns a bit for each of 16 bytes of a string: 1 for a quote, a backslash and a control character.
  (func $stopsOf (param $bytes v128) (result i32)
    (i8x16.bitmask
      (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
        (i8x16.le_u (local.get $bytes) (i8x16.splat (i32.const 0x1f)))))
  )

  ;; Returns a bit for each of 16 bytes: 1 for a quote, a bracket and a brace, which is a bracket with one more bit.
  (func $bracketsOf (param $bytes v128) (result i32)
    (local $folded v128)
    (local.set $folded (v128.and (local.get $bytes) (i8x16.splat (i32.const 0xdf))))
    (i8x16.bitmask
      (v128.or
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
        (v128.or
          (i8x16.eq (local.get $folded) (i8x16.splat (i32.const 0x5b)))
          (i8x16.eq (local.get $folded) (i8x16.splat (i32.const 0x5d))))))
  )

  ;; Returns the position of the first byte that is not white space.
  (func $skipSpace (param $at i32) (result i32)
    (local $byte i32)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.gt_u (local.get $byte) (i32.const 0x20)) (then (return (local.get $at))))
      (if (i32.or
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x20))
              (i32.eq (local.get $byte) (i32.const 0x0a)))
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x0d))
              (i32.eq (local.get $byte) (i32.const 0x09))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at)
  )

  ;; Returns the position after an escape, whose backslash is before $at; -1 if there is none.
  (func $skipEscape (param $at i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 0x75)) ;; u
      (then
        (return
          (select
            (i32.add (local.get $at) (i32.const 5))
            (i32.const -1)
            (i32.and
              (i32.and
                (call $isHex (i32.load8_u offset=1 (local.get $at)))
                (call $isHex (i32.load8_u offset=2 (local.get $at))))
              (i32.and
                (call $isHex (i32.load8_u offset=3 (local.get $at)))
                (call $isHex (i32.load8_u offset=4 (local.get $at)))))))))
    (if (i32.or
          (i32.or
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x22)) ;; "
              (i32.eq (local.get $byte) (i32.const 0x5c))) ;; \
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x2f)) ;; /
              (i32.eq (local.get $byte) (i32.const 0x62)))) ;; b
          (i32.or
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x66)) ;; f
              (i32.eq (local.get $byte) (i32.const 0x6e))) ;; n
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x72)) ;; r
              (i32.eq (local.get $byte) (i32.const 0x74))))) ;; t
      (then (return (i32.add (local.get $at) (i32.const 1)))))
    (i32.const -1)
  )

  ;; Returns the position after a number, true, false or null; -1 if there is none.
  (func $skipWord (param $at i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.or
          (i32.eq (local.get $byte) (i32.const 0x2d)) ;; -
          (call $isDigit (local.get $byte)))
      (then (return (call $skipNumber (local.get $at)))))
    (local.set $byte (i32.load (local.get $at)))
    (if (i32.or
          (i32.eq (local.get $byte) (i32.const 0x65757274)) ;; true
          (i32.eq (local.get $byte) (i32.const 0x6c6c756e))) ;; null
      (then (return (i32.add (local.get $at) (i32.const 4)))))
    (if (i32.and
          (i32.eq (local.get $byte) (i32.const 0x736c6166)) ;; fals
          (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x65))) ;; e
      (then (return (i32.add (local.get $at) (i32.const 5)))))
    (i32.const -1)
  )

  (func $skipNumber (param $at i32) (result i32)
    (local $byte i32)
    (local $first i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d)) ;; -
      (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (local.set $first (local.get $at))
    (local.set $at (call $skipDigits (local.get $at)))
    (if (i32.eq (local.get $at) (local.get $first)) (then (return (i32.const -1))))
    ;; No zeros before other digits.
    (if (i32.and
          (i32.eq (i32.load8_u (local.get $first)) (i32.const 0x30))
          (i32.gt_u (i32.sub (local.get $at) (local.get $first)) (i32.const 1)))
      (then (return (i32.const -1))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e)) ;; .
      (then
        (local.set $first (i32.add (local.get $at) (i32.const 1)))
        (local.set $at (call $skipDigits (local.get $first)))
        (if (i32.eq (local.get $at) (local.get $first)) (then (return (i32.const -1))))))
    (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65)) ;; e or E
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.or
              (i32.eq (local.get $byte) (i32.const 0x2b)) ;; +
              (i32.eq (local.get $byte) (i32.const 0x2d))) ;; -
          (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
        (local.set $first (local.get $at))
        (local.set $at (call $skipDigits (local.get $first)))
        (if (i32.eq (local.get $at) (local.get $first)) (then (return (i32.const -1))))))
    (local.get $at)
  )

  (func $skipDigits (param $at i32) (result i32)
    (loop $next
      (if (call $isDigit (i32.load8_u (local.get $at)))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at)
  )

  (func $isDigit (param $byte i32) (result i32)
    (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10))
  )

  (func $isHex (param $byte i32) (result i32)
    (i32.or
      (call $isDigit (local.get $byte))
      (i32.lt_u
        (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61))
        (i32.const 6)))
  )

  ;; True if the bytes from $at on are the name from 0 on.
  (func $isNameAt (param $at i32) (param $length i32) (result i32)
    (local $index i32)
    (loop $next
      (if (i32.eq (local.get $index) (local.get $length)) (then (return (i32.const 1))))
      (if (i32.ne
            (i32.load8_u (local.get $index))
            (i32.load8_u (i32.add (local.get $at) (local.get $index))))
        (then (return (i32.const 0))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br $next))
    (unreachable)
  )
)
