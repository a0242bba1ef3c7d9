;; Says where files are no Clojure, by reading them.
(doseq [file *command-line-args*]
  (with-open [in (clojure.lang.LineNumberingPushbackReader. (clojure.java.io/reader file))]
    (try
      (binding [*read-eval* false]
        (while (not= ::end (read {:eof ::end :read-cond :allow} in))))
      (catch Exception e
        (binding [*out* *err*]
          (println (str file ":" (.getLineNumber in) ": " (.getMessage (or (.getCause e) e)))))
        (System/exit 1)))))
